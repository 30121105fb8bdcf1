# What the commands of a transcript may use, and where their complaints go.
exec 2>&1

# background COMMAND...: goes on until `finish`
background() {
  "$@" >background.out 2>&1 &
  echo $! >background.pid
}

# until_succeeds COMMAND...: repeats a command until it succeeds, at most 30 seconds, and prints its last output
until_succeeds() {
  tries=0
  until "$@" >last.out 2>&1 || [ "$tries" -ge 300 ]; do
    tries=$((tries + 1))
    sleep 0.1
  done
  cat last.out
}

# fails COMMAND...: succeeds if the command fails
fails() {
  ! "$@"
}

# until_printed TEXT: waits until the command in the background has printed it
until_printed() {
  until_succeeds grep -q -e "$1" background.out
}

# webhooks: serves the webhooks of webhooks.ts until `finish_webhooks`, and waits until the server calls them
webhooks() {
  background "$NODE" --import "$TSX" "$PROGRAMS/webhooks.ts"
  until_printed ready
}

# finish_webhooks: ends the webhooks and waits until their registration is removed
finish_webhooks() {
  kill "$(cat background.pid)"
  ended >webhooks.log
}

# finish: ends the command in the background and prints what it printed
finish() {
  kill "$(cat background.pid)"
  rm background.pid
  cat background.out
}

# ended: waits for the command in the background and prints what it printed
ended() {
  while kill -0 "$(cat background.pid)" 2>/dev/null; do sleep 0.1; done
  rm background.pid
  cat background.out
}

# fields: what `kubectl explain` says but for the descriptions, which are prose of a release
fields() {
  grep "<" | grep -v -e "<empty>" -e "<no description>"
}

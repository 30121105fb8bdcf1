# What the commands of a transcript may use, and where their complaints go.
exec 2>&1

# background COMMAND...: goes on until `finish`
background() {
  "$@" >background.out 2>&1 &
  echo $! >background.pid
}

# until_printed TEXT: waits until the command in the background has printed it, at most 10 seconds
until_printed() {
  tries=0
  until grep -q -e "$1" background.out || [ "$tries" -ge 100 ]; do
    tries=$((tries + 1))
    sleep 0.1
  done
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

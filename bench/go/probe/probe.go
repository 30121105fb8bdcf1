// Package probe is what the programs of the bench share: arguments, figures, and what the process took.
package probe

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Arguments are what the harness gave on the command line, --name=value, by name.
type Arguments map[string]string

func Given() Arguments {
	given := Arguments{}
	for _, text := range os.Args[1:] {
		name, value, _ := strings.Cut(strings.TrimPrefix(text, "--"), "=")
		given[name] = value
	}
	return given
}

func (a Arguments) Number(name string) int {
	number, _ := strconv.Atoi(a[name])
	return number
}

// AskForStream has the stub send events to the watch that is open, or to the next one that opens.
func (a Arguments) AskForStream(events int) {
	answer, err := http.Get(fmt.Sprintf("%s/ctl/stream?resource=%s&events=%d&rate=%d&when=watched",
		a["plain"], a["resource"], events, a.Number("per-second")))
	Must(err)
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	Must(err)
}

// Figure hands a figure to the harness.
func Figure(name string, value float64) {
	fmt.Printf("{\"figure\":%q,\"value\":%g}\n", name, value)
}

// CPUSeconds is the processor time of all threads since the start.
func CPUSeconds() float64 {
	var usage syscall.Rusage
	Must(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()).Seconds()
}

// PeakRSSBytes is the most memory the process ever had. What the parent had at the fork counts in getrusage, and not here.
func PeakRSSBytes() float64 {
	status, err := os.ReadFile("/proc/self/status")
	Must(err)
	_, rest, _ := bytes.Cut(status, []byte("VmHWM:"))
	kibibytes, err := strconv.Atoi(string(bytes.Fields(rest)[0]))
	Must(err)
	return float64(kibibytes) * 1024
}

func Must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "Error:", err)
		os.Exit(1)
	}
}

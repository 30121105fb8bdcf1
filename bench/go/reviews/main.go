// The load generator of the bench "webhook": it sends AdmissionReviews as kube-apiserver does, and prints the figures.
package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"trimtab.dev/bench/probe"
)

func main() {
	arguments := probe.Given()
	load := newLoad(arguments)
	run := load.saturate
	if arguments.Number("per-second") > 0 {
		run = load.paced
	}
	run(time.Duration(arguments.Number("warmup-ms")) * time.Millisecond)
	server, own, begun := load.serverSeconds(), probe.CPUSeconds(), time.Now()
	took := run(time.Duration(arguments.Number("ms")) * time.Millisecond)
	seconds, own := time.Since(begun).Seconds(), probe.CPUSeconds()-own
	probe.Figure("rate", float64(len(took))/seconds)
	probe.Figure("cpu", (load.serverSeconds()-server)*1e6/float64(len(took)))
	slices.Sort(took)
	probe.Figure("p50", took[len(took)/2].Seconds()*1e3)
	probe.Figure("p99", took[len(took)*99/100].Seconds()*1e3)
	probe.Figure("generator", own/seconds/float64(runtime.GOMAXPROCS(0))*100)
}

// review is a request body with the texts that its response must contain.
type review struct {
	body  []byte
	wants [][]byte
}

type load struct {
	url       string
	pid       int
	inFlight  int
	perSecond int
	reviews   []review
	client    http.Client
	next      atomic.Int64
}

func newLoad(arguments probe.Arguments) *load {
	authority, err := os.ReadFile(arguments["ca"])
	probe.Must(err)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority)
	return &load{
		url:       arguments["url"],
		pid:       arguments.Number("pid"),
		inFlight:  arguments.Number("in-flight"),
		perSecond: arguments.Number("per-second"),
		reviews:   readReviews(arguments["reviews"], arguments["wants"]),
		client: http.Client{Transport: &http.Transport{
			// kube-apiserver calls webhooks of Services over HTTP/1.1, so that connections spread over the replicas, and keeps
			// at most 25 idle connections.
			TLSClientConfig:     &tls.Config{RootCAs: roots, NextProtos: []string{"http/1.1"}},
			MaxIdleConnsPerHost: 25,
		}},
	}
}

// readReviews reads a file with one AdmissionReview in each line.
func readReviews(file, wants string) []review {
	text, err := os.ReadFile(file)
	probe.Must(err)
	var reviews []review
	for line := range bytes.Lines(text) {
		var parsed struct {
			Request struct {
				UID string `json:"uid"`
			} `json:"request"`
		}
		probe.Must(json.Unmarshal(line, &parsed))
		reviews = append(reviews, review{line, [][]byte{[]byte(parsed.Request.UID), []byte(wants)}})
	}
	return reviews
}

// saturate keeps the given number of requests in flight, and returns the time of each.
func (l *load) saturate(duration time.Duration) []time.Duration {
	end := time.Now().Add(duration)
	var workers sync.WaitGroup
	took := make([][]time.Duration, l.inFlight)
	for worker := range l.inFlight {
		workers.Go(func() {
			for time.Now().Before(end) {
				took[worker] = append(took[worker], l.send())
			}
		})
	}
	workers.Wait()
	return slices.Concat(took...)
}

// paced sends the given number of requests in each second, and returns the time of each. A slow response delays no other request.
func (l *load) paced(duration time.Duration) []time.Duration {
	took := make([]time.Duration, int(duration.Seconds()*float64(l.perSecond)))
	begun := time.Now()
	var requests sync.WaitGroup
	for i := range took {
		time.Sleep(time.Until(begun.Add(time.Duration(i) * time.Second / time.Duration(l.perSecond))))
		requests.Go(func() { took[i] = l.send() })
	}
	requests.Wait()
	return took
}

// send sends the next review, checks the response, and returns the time it took.
func (l *load) send() time.Duration {
	review := l.reviews[int(l.next.Add(1))%len(l.reviews)]
	begun := time.Now()
	request, err := http.NewRequest(http.MethodPost, l.url, bytes.NewReader(review.body))
	probe.Must(err)
	request.Header.Set("Accept", "application/json, */*")
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "kube-apiserver-admission")
	response, err := l.client.Do(request)
	probe.Must(err)
	body, err := io.ReadAll(response.Body)
	probe.Must(err)
	probe.Must(response.Body.Close())
	took := time.Since(begun)
	for _, want := range review.wants {
		if response.StatusCode != http.StatusOK || !bytes.Contains(body, want) {
			probe.Must(fmt.Errorf("expected status 200 with %s, got %s: %s", want, response.Status, body))
		}
	}
	return took
}

// serverSeconds is the processor time of the server in all its threads. Linux counts it in ticks of 10 ms.
func (l *load) serverSeconds() float64 {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", l.pid))
	probe.Must(err)
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	user, err := strconv.Atoi(fields[11])
	probe.Must(err)
	system, err := strconv.Atoi(fields[12])
	probe.Must(err)
	return float64(user+system) / 100
}

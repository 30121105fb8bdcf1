package main

import (
	"io"
	"net/http"
	"sync/atomic"
)

// counter counts the bytes of the responses.
type counter struct {
	next  http.RoundTripper
	bytes *atomic.Int64
}

func (c *counter) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := c.next.RoundTrip(request)
	if err == nil {
		response.Body = countedBody{response.Body, c.bytes}
	}
	return response, err
}

type countedBody struct {
	io.ReadCloser
	bytes *atomic.Int64
}

func (b countedBody) Read(into []byte) (int, error) {
	read, err := b.ReadCloser.Read(into)
	b.bytes.Add(int64(read))
	return read, err
}

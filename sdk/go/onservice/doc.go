// Package onservice tests the SDK on a service. It stands apart, so that whoever uses the SDK gets nothing of the server into
// their go.sum.
package onservice

#!/usr/bin/env bash
# Uses api/client and sdk/go as a program outside this module does, and fails when that pulls in more than a client needs.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
scratch

most_sums=20 # lines of the program's go.sum
project="$PWD"
module="$(go list -m)"
language="$(go list -m -f '{{.GoVersion}}')"
cd "$scratch"
cat >main.go <<GO
package main

import (
	"fmt"

	"$module/api/client"
	fourinarow "$module/sdk/go"
)

func main() {
	c, err := client.NewClientWithResponses("http://127.0.0.1:8080")
	fmt.Println(c, err)
	four, err := fourinarow.New("http://127.0.0.1:8080")
	fmt.Println(four, err)
}
GO
go mod init example.com/app 2>/dev/null
go mod edit -go="$language" -require="$module@v0.0.0" -replace="$module=$project"
go mod tidy 2>/dev/null || go mod tidy
go build -o app .
sums=$(wc -l <go.sum)
echo "a program that uses the client has $sums lines of go.sum"
((sums <= most_sums)) || fail "a program that uses the client has more than $most_sums lines of go.sum"

package main

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"os"
	"strings"

	"example.com/check/ofagewebhook"
)

func decode(text string) []byte {
	bytes, _ := base64.StdEncoding.DecodeString(text)
	return bytes
}

func check(line string) (result string) {
	defer func() {
		if recover() != nil {
			result = "error"
		}
	}()
	parts := strings.Split(line, " ")
	var secrets []string
	for _, secret := range strings.Split(parts[2], ",") {
		secrets = append(secrets, string(decode(secret)))
	}
	return fmt.Sprint(ofagewebhook.IsFromOfAge(decode(parts[0]), string(decode(parts[1])), secrets))
}

func main() {
	scanner := bufio.NewScanner(os.Stdin)
	for scanner.Scan() {
		fmt.Println(check(scanner.Text()))
	}
}

// Plays one Go library: reads a case a line, runs it, and writes what the library gave a line, as `play.py` does.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
)

const (
	hello   = "Say hello."
	weather = "What is the weather in Paris? Use the tool."
)

var texts = []string{"one text", "another text"}

// The tool as a schema.
var weatherSchema = map[string]any{
	"type": "object",
	"properties": map[string]any{
		"city": map[string]any{"type": "string", "description": "The city."},
		"unit": map[string]any{"type": "string", "enum": []string{"celsius", "fahrenheit"}, "description": "The unit."},
	},
	"required":             []string{"city", "unit"},
	"additionalProperties": false,
}

// Where a library is pointed.
type at struct {
	Case, Format, Root, Key, Model, Embedding string
}

// What a case gave: text, streamed, usage, vectors.
type gave map[string]any

// The arguments with which the tool was called in the case under way.
var calls = []map[string]any{}

// Tells the weather, as the model asked for it.
func tellWeather(arguments string) string {
	given := map[string]any{}
	if err := json.Unmarshal([]byte(arguments), &given); err != nil {
		panic(err)
	}
	calls = append(calls, given)
	return "21 degrees"
}

type library struct {
	formats []string
	// In the order in which they are played.
	names []string
	cases map[string]func(context.Context, at) (gave, error)
}

func (one library) play(wish at) (line gave) {
	calls = []map[string]any{}
	defer func() {
		if broken := recover(); broken != nil {
			line = failure("panic", fmt.Sprint(broken))
		}
	}()
	given, err := one.cases[wish.Case](context.Background(), wish)
	if err != nil {
		return failure(fmt.Sprintf("%T", err), err.Error())
	}
	if given == nil {
		// The library has no such thing in this format.
		return gave{}
	}
	return gave{"gave": given, "calls": calls}
}

func failure(class string, message string) gave {
	return gave{"error": gave{"class": class, "message": message}, "calls": calls}
}

func main() {
	out := json.NewEncoder(os.Stdout)
	_ = out.Encode(gave{"formats": played.formats, "cases": played.names})
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var wish at
		if err := json.Unmarshal(lines.Bytes(), &wish); err != nil {
			panic(err)
		}
		_ = out.Encode(played.play(wish))
	}
}

// requires github.com/anthropics/anthropic-sdk-go v1.84.0

// Anthropic's own library for Go.
package main

import (
	"context"
	"encoding/json"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
)

var played = library{
	formats: []string{"anthropic"},
	names:   []string{"chat", "stream", "tools", "stream_tools"},
	cases: map[string]func(context.Context, at) (gave, error){
		"chat":         func(ctx context.Context, here at) (gave, error) { return chat(ctx, here, false) },
		"stream":       func(ctx context.Context, here at) (gave, error) { return chat(ctx, here, true) },
		"tools":        func(ctx context.Context, here at) (gave, error) { return toolRound(ctx, here, false) },
		"stream_tools": func(ctx context.Context, here at) (gave, error) { return toolRound(ctx, here, true) },
	},
}

func ask(ctx context.Context, here at, messages []anthropic.MessageParam, tools []anthropic.ToolUnionParam, streamed bool) (*anthropic.Message, error) {
	api := anthropic.NewClient(option.WithBaseURL(here.Root), option.WithAPIKey(here.Key))
	params := anthropic.MessageNewParams{Model: anthropic.Model(here.Model), MaxTokens: 1024, Messages: messages, Tools: tools}
	if !streamed {
		return api.Messages.New(ctx, params)
	}
	stream := api.Messages.NewStreaming(ctx, params)
	whole := anthropic.Message{}
	for stream.Next() {
		if err := whole.Accumulate(stream.Current()); err != nil {
			return nil, err
		}
	}
	return &whole, stream.Err()
}

func given(answer *anthropic.Message) gave {
	text := ""
	for _, block := range answer.Content {
		if block.Type == "text" {
			text += block.Text
		}
	}
	return gave{"text": text, "usage": []int64{answer.Usage.InputTokens, answer.Usage.OutputTokens}}
}

func chat(ctx context.Context, here at, streamed bool) (gave, error) {
	messages := []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(hello))}
	answer, err := ask(ctx, here, messages, nil, streamed)
	if err != nil {
		return nil, err
	}
	return given(answer), nil
}

func toolRound(ctx context.Context, here at, streamed bool) (gave, error) {
	tools := []anthropic.ToolUnionParam{{OfTool: &anthropic.ToolParam{
		Name:        "weather",
		Description: anthropic.String("Tells the weather."),
		InputSchema: anthropic.ToolInputSchemaParam{
			Properties: weatherSchema["properties"],
			Required:   weatherSchema["required"].([]string),
		},
	}}}
	messages := []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(weather))}
	first, err := ask(ctx, here, messages, tools, streamed)
	if err != nil {
		return nil, err
	}
	results := []anthropic.ContentBlockParamUnion{}
	for _, block := range first.Content {
		if block.Type == "tool_use" {
			arguments, _ := json.Marshal(block.Input)
			results = append(results, anthropic.NewToolResultBlock(block.ID, tellWeather(string(arguments)), false))
		}
	}
	messages = append(messages, first.ToParam(), anthropic.NewUserMessage(results...))
	answer, err := ask(ctx, here, messages, tools, streamed)
	if err != nil {
		return nil, err
	}
	return given(answer), nil
}

// requires github.com/openai/openai-go/v3 v3.99.0

// OpenAI's own library for Go, by Chat Completions and by Responses.
package main

import (
	"context"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"
	"github.com/openai/openai-go/v3/shared"
)

var played = library{
	formats: []string{"chat", "responses"},
	names:   []string{"chat", "stream", "tools", "stream_tools", "embeddings"},
	cases: map[string]func(context.Context, at) (gave, error){
		"chat":         func(ctx context.Context, here at) (gave, error) { return ask(ctx, here, hello, false) },
		"stream":       func(ctx context.Context, here at) (gave, error) { return ask(ctx, here, hello, true) },
		"tools":        func(ctx context.Context, here at) (gave, error) { return toolRound(ctx, here, false) },
		"stream_tools": func(ctx context.Context, here at) (gave, error) { return toolRound(ctx, here, true) },
		"embeddings":   embeddings,
	},
}

func client(here at) openai.Client {
	return openai.NewClient(option.WithBaseURL(here.Root+"/v1/"), option.WithAPIKey(here.Key))
}

func ask(ctx context.Context, here at, text string, streamed bool) (gave, error) {
	if here.Format == "chat" {
		answer, err := askChat(ctx, here, []openai.ChatCompletionMessageParamUnion{openai.UserMessage(text)}, nil, streamed)
		if err != nil {
			return nil, err
		}
		return chatGave(answer), nil
	}
	answer, err := askResponses(ctx, here, responses.ResponseInputParam{user(text)}, nil, streamed)
	if err != nil {
		return nil, err
	}
	return responseGave(answer), nil
}

func toolRound(ctx context.Context, here at, streamed bool) (gave, error) {
	if here.Format == "chat" {
		return chatRound(ctx, here, streamed)
	}
	return responsesRound(ctx, here, streamed)
}

func askChat(ctx context.Context, here at, messages []openai.ChatCompletionMessageParamUnion, tools []openai.ChatCompletionToolUnionParam, streamed bool) (*openai.ChatCompletion, error) {
	params := openai.ChatCompletionNewParams{Model: here.Model, Messages: messages, Tools: tools}
	api := client(here)
	if !streamed {
		return api.Chat.Completions.New(ctx, params)
	}
	params.StreamOptions = openai.ChatCompletionStreamOptionsParam{IncludeUsage: openai.Bool(true)}
	stream := api.Chat.Completions.NewStreaming(ctx, params)
	whole := openai.ChatCompletionAccumulator{}
	for stream.Next() {
		whole.AddChunk(stream.Current())
	}
	return &whole.ChatCompletion, stream.Err()
}

func chatGave(answer *openai.ChatCompletion) gave {
	return gave{
		"text":  answer.Choices[0].Message.Content,
		"usage": []int64{answer.Usage.PromptTokens, answer.Usage.CompletionTokens},
	}
}

func chatRound(ctx context.Context, here at, streamed bool) (gave, error) {
	tools := []openai.ChatCompletionToolUnionParam{openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{
		Name:        "weather",
		Description: openai.String("Tells the weather."),
		Parameters:  weatherSchema,
		Strict:      openai.Bool(true),
	})}
	messages := []openai.ChatCompletionMessageParamUnion{openai.UserMessage(weather)}
	first, err := askChat(ctx, here, messages, tools, streamed)
	if err != nil {
		return nil, err
	}
	turn := first.Choices[0].Message
	messages = append(messages, turn.ToParam())
	for _, call := range turn.ToolCalls {
		messages = append(messages, openai.ToolMessage(tellWeather(call.Function.Arguments), call.ID))
	}
	answer, err := askChat(ctx, here, messages, tools, streamed)
	if err != nil {
		return nil, err
	}
	return chatGave(answer), nil
}

func user(text string) responses.ResponseInputItemUnionParam {
	return responses.ResponseInputItemParamOfMessage(text, responses.EasyInputMessageRoleUser)
}

func askResponses(ctx context.Context, here at, input responses.ResponseInputParam, tools []responses.ToolUnionParam, streamed bool) (*responses.Response, error) {
	params := responses.ResponseNewParams{
		Model: here.Model,
		Input: responses.ResponseNewParamsInputUnion{OfInputItemList: input},
		Tools: tools,
	}
	api := client(here)
	if !streamed {
		return api.Responses.New(ctx, params)
	}
	stream := api.Responses.NewStreaming(ctx, params)
	var whole responses.Response
	for stream.Next() {
		if event := stream.Current(); event.Type == "response.completed" {
			whole = event.AsResponseCompleted().Response
		}
	}
	return &whole, stream.Err()
}

func responseGave(answer *responses.Response) gave {
	return gave{"text": answer.OutputText(), "usage": []int64{answer.Usage.InputTokens, answer.Usage.OutputTokens}}
}

func responsesRound(ctx context.Context, here at, streamed bool) (gave, error) {
	tools := []responses.ToolUnionParam{{OfFunction: &responses.FunctionToolParam{
		Name:        "weather",
		Description: openai.String("Tells the weather."),
		Parameters:  weatherSchema,
		Strict:      openai.Bool(true),
	}}}
	input := responses.ResponseInputParam{user(weather)}
	first, err := askResponses(ctx, here, input, tools, streamed)
	if err != nil {
		return nil, err
	}
	for _, item := range first.Output {
		if item.Type != "function_call" {
			continue
		}
		call := item.AsFunctionCall()
		output := responses.ResponseInputItemParamOfFunctionCallOutput(tellWeather(call.Arguments))
		output.OfFunctionCallOutput.CallID = openai.String(call.CallID)
		input = append(input,
			responses.ResponseInputItemParamOfFunctionCall(call.Arguments, call.CallID, call.Name),
			output,
		)
	}
	answer, err := askResponses(ctx, here, input, tools, streamed)
	if err != nil {
		return nil, err
	}
	return responseGave(answer), nil
}

func embeddings(ctx context.Context, here at) (gave, error) {
	api := client(here)
	answer, err := api.Embeddings.New(ctx, openai.EmbeddingNewParams{
		Model: here.Embedding,
		Input: openai.EmbeddingNewParamsInputUnion{OfArrayOfStrings: texts},
	})
	if err != nil {
		return nil, err
	}
	vectors := [][]float64{}
	for _, item := range answer.Data {
		vectors = append(vectors, item.Embedding)
	}
	return gave{"vectors": vectors}, nil
}

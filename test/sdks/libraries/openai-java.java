// requires com.openai:openai-java:4.101.0

// OpenAI's own library for Java, by Chat Completions and by Responses.
import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.http.StreamResponse;
import com.openai.helpers.ChatCompletionAccumulator;
import com.openai.helpers.ResponseAccumulator;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionMessage;
import com.openai.models.chat.completions.ChatCompletionStreamOptions;
import com.openai.models.chat.completions.ChatCompletionToolMessageParam;
import com.openai.models.embeddings.EmbeddingCreateParams;
import com.openai.models.responses.EasyInputMessage;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.ResponseInputItem;
import com.openai.models.responses.ResponseStreamEvent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The tool as the library makes a schema of it. */
@JsonTypeName("weather")
@JsonClassDescription("Tells the weather.")
class Weather {
  enum Unit {
    @JsonProperty("celsius")
    CELSIUS,
    @JsonProperty("fahrenheit")
    FAHRENHEIT
  }

  @JsonPropertyDescription("The city.")
  public String city;

  @JsonPropertyDescription("The unit.")
  public Unit unit;
}

class Played {
  static final Library LIBRARY = new Library(List.of("chat", "responses"), cases());

  static Map<String, Case> cases() {
    Map<String, Case> cases = new LinkedHashMap<>();
    cases.put("chat", at -> ask(at, false));
    cases.put("stream", at -> ask(at, true));
    cases.put("tools", at -> toolRound(at, false));
    cases.put("stream_tools", at -> toolRound(at, true));
    cases.put("embeddings", Played::embeddings);
    return cases;
  }

  static OpenAIClient client(At at) {
    return OpenAIOkHttpClient.builder().baseUrl(at.root() + "/v1").apiKey(at.key()).build();
  }

  static Map<String, Object> ask(At at, boolean streamed) {
    if (at.format().equals("chat")) {
      return chatGave(askChat(at, chat(at).addUserMessage(Asked.HELLO), streamed));
    }
    return responseGave(askResponses(at, responses(at, List.of(user(Asked.HELLO))), streamed));
  }

  static Map<String, Object> toolRound(At at, boolean streamed) {
    return at.format().equals("chat") ? chatRound(at, streamed) : responsesRound(at, streamed);
  }

  static ChatCompletionCreateParams.Builder chat(At at) {
    return ChatCompletionCreateParams.builder().model(at.model());
  }

  static ChatCompletion askChat(At at, ChatCompletionCreateParams.Builder params, boolean streamed) {
    if (!streamed) return client(at).chat().completions().create(params.build());
    params.streamOptions(ChatCompletionStreamOptions.builder().includeUsage(true).build());
    ChatCompletionAccumulator whole = ChatCompletionAccumulator.create();
    try (StreamResponse<ChatCompletionChunk> stream = client(at).chat().completions().createStreaming(params.build())) {
      stream.stream().forEach(whole::accumulate);
    }
    return whole.chatCompletion();
  }

  static Map<String, Object> chatGave(ChatCompletion answer) {
    String text = answer.choices().get(0).message().content().orElse("");
    var usage = answer.usage().orElseThrow();
    return Map.of("text", text, "usage", List.of(usage.promptTokens(), usage.completionTokens()));
  }

  static Map<String, Object> chatRound(At at, boolean streamed) {
    ChatCompletionCreateParams.Builder params = chat(at).addUserMessage(Asked.WEATHER).addTool(Weather.class);
    ChatCompletionMessage turn = askChat(at, params, streamed).choices().get(0).message();
    params.addMessage(turn);
    for (var call : turn.toolCalls().orElse(List.of())) {
      String result = Asked.tellWeather(call.asFunction().function().arguments());
      params.addMessage(
          ChatCompletionToolMessageParam.builder().toolCallId(call.asFunction().id()).content(result).build());
    }
    return chatGave(askChat(at, params, streamed));
  }

  static ResponseInputItem user(String text) {
    return ResponseInputItem.ofEasyInputMessage(
        EasyInputMessage.builder().role(EasyInputMessage.Role.USER).content(text).build());
  }

  static ResponseCreateParams.Builder responses(At at, List<ResponseInputItem> input) {
    return ResponseCreateParams.builder().model(at.model()).inputOfResponse(input);
  }

  static Response askResponses(At at, ResponseCreateParams.Builder params, boolean streamed) {
    if (!streamed) return client(at).responses().create(params.build());
    ResponseAccumulator whole = ResponseAccumulator.create();
    try (StreamResponse<ResponseStreamEvent> stream = client(at).responses().createStreaming(params.build())) {
      stream.stream().forEach(whole::accumulate);
    }
    return whole.response();
  }

  static Map<String, Object> responseGave(Response answer) {
    String text =
        answer.output().stream()
            .flatMap(item -> item.message().stream())
            .flatMap(message -> message.content().stream())
            .flatMap(content -> content.outputText().stream())
            .map(part -> part.text())
            .collect(Collectors.joining());
    var usage = answer.usage().orElseThrow();
    return Map.of("text", text, "usage", List.of(usage.inputTokens(), usage.outputTokens()));
  }

  static Map<String, Object> responsesRound(At at, boolean streamed) {
    List<ResponseInputItem> input = new ArrayList<>(List.of(user(Asked.WEATHER)));
    Response first = askResponses(at, responses(at, input).addTool(Weather.class), streamed);
    for (var item : first.output()) {
      if (!item.isFunctionCall()) continue;
      var call = item.asFunctionCall();
      input.add(ResponseInputItem.ofFunctionCall(call));
      input.add(
          ResponseInputItem.ofFunctionCallOutput(
              ResponseInputItem.FunctionCallOutput.builder()
                  .callId(call.callId())
                  .output(Asked.tellWeather(call.arguments()))
                  .build()));
    }
    return responseGave(askResponses(at, responses(at, input).addTool(Weather.class), streamed));
  }

  static Map<String, Object> embeddings(At at) {
    var params = EmbeddingCreateParams.builder().model(at.embedding()).inputOfArrayOfStrings(Asked.TEXTS).build();
    var answer = client(at).embeddings().create(params);
    return Map.of("vectors", answer.data().stream().map(item -> item.embedding()).toList());
  }
}

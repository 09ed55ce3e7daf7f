// requires dev.langchain4j:langchain4j-open-ai:1.19.0
// requires dev.langchain4j:langchain4j-anthropic:1.19.0
// requires dev.langchain4j:langchain4j-google-ai-gemini:1.19.0

// LangChain4j with OpenAI's models (by Chat Completions and by Responses), Anthropic's and Google's.
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.anthropic.AnthropicChatModel;
import dev.langchain4j.model.anthropic.AnthropicStreamingChatModel;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.googleai.GoogleAiEmbeddingModel;
import dev.langchain4j.model.googleai.GoogleAiGeminiChatModel;
import dev.langchain4j.model.googleai.GoogleAiGeminiStreamingChatModel;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiEmbeddingModel;
import dev.langchain4j.model.openai.OpenAiResponsesChatModel;
import dev.langchain4j.model.openai.OpenAiResponsesStreamingChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

class Played {
  static final Library LIBRARY = new Library(List.of("chat", "responses", "anthropic", "gemini"), cases());

  static final ToolSpecification TOOL =
      ToolSpecification.builder()
          .name("weather")
          .description("Tells the weather.")
          .parameters(
              JsonObjectSchema.builder()
                  .addStringProperty("city", "The city.")
                  .addEnumProperty("unit", List.of("celsius", "fahrenheit"), "The unit.")
                  .required("city", "unit")
                  .build())
          .build();

  static Map<String, Case> cases() {
    Map<String, Case> cases = new LinkedHashMap<>();
    cases.put("chat", at -> ask(model(at)));
    cases.put("stream", at -> ask(streaming(at)));
    cases.put("tools", at -> toolRound(model(at)));
    cases.put("stream_tools", at -> toolRound(streaming(at)));
    cases.put("embeddings", Played::embeddings);
    return cases;
  }

  /** One question and its answer; `streamed` are the pieces of its text, where it comes in pieces. */
  interface Model {
    Answer ask(ChatRequest request) throws Exception;
  }

  record Answer(ChatResponse whole, String streamed) {}

  static Model model(At at) {
    ChatModel model =
        switch (at.format()) {
          case "chat" -> OpenAiChatModel.builder().baseUrl(v1(at)).apiKey(at.key()).modelName(at.model()).build();
          case "responses" ->
              OpenAiResponsesChatModel.builder().baseUrl(v1(at)).apiKey(at.key()).modelName(at.model()).build();
          case "anthropic" ->
              AnthropicChatModel.builder().baseUrl(v1(at)).apiKey(at.key()).modelName(at.model()).build();
          default ->
              GoogleAiGeminiChatModel.builder().baseUrl(v1beta(at)).apiKey(at.key()).modelName(at.model()).build();
        };
    return request -> new Answer(model.chat(request), null);
  }

  static Model streaming(At at) {
    StreamingChatModel model =
        switch (at.format()) {
          case "chat" ->
              OpenAiStreamingChatModel.builder().baseUrl(v1(at)).apiKey(at.key()).modelName(at.model()).build();
          case "responses" ->
              OpenAiResponsesStreamingChatModel.builder()
                  .baseUrl(v1(at))
                  .apiKey(at.key())
                  .modelName(at.model())
                  .build();
          case "anthropic" ->
              AnthropicStreamingChatModel.builder().baseUrl(v1(at)).apiKey(at.key()).modelName(at.model()).build();
          default ->
              GoogleAiGeminiStreamingChatModel.builder()
                  .baseUrl(v1beta(at))
                  .apiKey(at.key())
                  .modelName(at.model())
                  .build();
        };
    return request -> joined(model, request);
  }

  static String v1(At at) {
    return at.root() + "/v1";
  }

  static String v1beta(At at) {
    return at.root() + "/v1beta";
  }

  static Answer joined(StreamingChatModel model, ChatRequest request) throws Exception {
    CompletableFuture<ChatResponse> whole = new CompletableFuture<>();
    StringBuilder streamed = new StringBuilder();
    model.chat(
        request,
        new StreamingChatResponseHandler() {
          @Override
          public void onPartialResponse(String text) {
            streamed.append(text);
          }

          @Override
          public void onCompleteResponse(ChatResponse response) {
            whole.complete(response);
          }

          @Override
          public void onError(Throwable error) {
            whole.completeExceptionally(error);
          }
        });
    try {
      return new Answer(whole.get(), streamed.toString());
    } catch (ExecutionException error) {
      throw error.getCause() instanceof Exception cause ? cause : error;
    }
  }

  static Map<String, Object> given(Answer answer) {
    var usage = answer.whole().tokenUsage();
    Map<String, Object> given = new HashMap<>();
    given.put("text", answer.whole().aiMessage().text());
    given.put("usage", List.of(usage.inputTokenCount(), usage.outputTokenCount()));
    if (answer.streamed() != null) given.put("streamed", answer.streamed());
    return given;
  }

  static Map<String, Object> ask(Model model) throws Exception {
    return given(model.ask(ChatRequest.builder().messages(UserMessage.from(Asked.HELLO)).build()));
  }

  static Map<String, Object> toolRound(Model model) throws Exception {
    List<ChatMessage> messages = new ArrayList<>(List.of(UserMessage.from(Asked.WEATHER)));
    var turn = model.ask(asking(messages)).whole().aiMessage();
    messages.add(turn);
    for (var call : turn.toolExecutionRequests()) {
      messages.add(ToolExecutionResultMessage.from(call, Asked.tellWeather(call.arguments())));
    }
    return given(model.ask(asking(messages)));
  }

  static ChatRequest asking(List<ChatMessage> messages) {
    return ChatRequest.builder().messages(messages).toolSpecifications(TOOL).build();
  }

  static Map<String, Object> embeddings(At at) {
    // Anthropic has no embeddings.
    if (at.format().equals("anthropic")) return null;
    EmbeddingModel model =
        at.format().equals("gemini")
            ? GoogleAiEmbeddingModel.builder()
                .baseUrl(v1beta(at))
                .apiKey(at.key())
                .modelName(at.embedding())
                .build()
            : OpenAiEmbeddingModel.builder().baseUrl(v1(at)).apiKey(at.key()).modelName(at.embedding()).build();
    var answer = model.embedAll(Asked.TEXTS.stream().map(TextSegment::from).toList());
    return Map.of("vectors", answer.content().stream().map(one -> one.vector()).toList());
  }
}

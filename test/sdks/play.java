// Plays one Java library: reads a case a line, runs it, and writes what the library gave a line, as `play.py` does.
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A case by its name, and where a library is pointed. */
record At(
    @JsonProperty("case") String name, String format, String root, String key, String model, String embedding) {}

/** What a library is asked, and the tool that it may call. */
class Asked {
  static final String HELLO = "Say hello.";
  static final String WEATHER = "What is the weather in Paris? Use the tool.";
  static final List<String> TEXTS = List.of("one text", "another text");

  /** The arguments with which the tool was called in the case under way. */
  static final List<Map<String, Object>> calls = new ArrayList<>();

  /** Tells the weather, as the model asked for it. */
  static String tellWeather(String arguments) {
    try {
      calls.add(Play.JSON.readValue(arguments, new TypeReference<Map<String, Object>>() {}));
    } catch (JsonProcessingException error) {
      throw new IllegalArgumentException(error);
    }
    return "21 degrees";
  }
}

/** One case; it gives text, streamed, usage or vectors, or null where the library has no such thing in this format. */
interface Case {
  Map<String, Object> play(At at) throws Exception;
}

/** The cases in the order in which they are played. */
record Library(List<String> formats, Map<String, Case> cases) {
  Map<String, Object> play(At at) {
    Asked.calls.clear();
    try {
      Map<String, Object> given = cases.get(at.name()).play(at);
      return given == null ? Map.of() : Map.of("gave", given, "calls", Asked.calls);
    } catch (Exception error) {
      error.printStackTrace();
      String name = error.getClass().getSimpleName();
      return Map.of("error", Map.of("class", name, "message", String.valueOf(error.getMessage())), "calls", Asked.calls);
    }
  }
}

class Play {
  static final ObjectMapper JSON = new ObjectMapper();

  public static void main(String[] none) throws IOException {
    PrintStream out = System.out;
    // Whatever the library itself prints goes to stderr.
    System.setOut(System.err);
    Library library = Played.LIBRARY;
    out.println(JSON.writeValueAsString(Map.of("formats", library.formats(), "cases", library.cases().keySet())));
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      out.println(JSON.writeValueAsString(library.play(JSON.readValue(line, At.class))));
    }
  }
}

# /// script
# requires-python = "==3.11.*"
# dependencies = [
#   "llama-index-core==0.14.25",
#   "llama-index-llms-openai==0.8.3",
#   "llama-index-llms-openai-like",
#   "llama-index-llms-anthropic==0.12.3",
#   "anthropic<2",
#   "llama-index-llms-google-genai==0.11.3",
#   "llama-index-embeddings-openai==0.7.0",
# ]
# ///
"""LlamaIndex, with its integrations of the three vendors."""

from asked import HELLO, PERSON, TEXTS, WEATHER, At, Person, weather
from llama_index.core.llms import ChatMessage
from llama_index.core.tools import FunctionTool

FORMATS = ['chat', 'responses', 'anthropic', 'gemini']


def model(at: At):
    if at.format == 'chat':
        # The plain class knows OpenAI's models alone; this one is for whoever speaks the format.
        from llama_index.llms.openai_like import OpenAILike

        return OpenAILike(
            model=at.model, api_key=at.key, api_base=at.v1, is_chat_model=True, is_function_calling_model=True
        )
    if at.format == 'responses':
        from llama_index.llms.openai import OpenAIResponses

        return OpenAIResponses(model=at.model, api_key=at.key, api_base=at.v1, context_window=100_000)
    if at.format == 'anthropic':
        from llama_index.llms.anthropic import Anthropic

        return Anthropic(model=at.model, api_key=at.key, base_url=at.root, max_tokens=1000)
    from llama_index.llms.google_genai import GoogleGenAI

    return GoogleGenAI(model=at.model, api_key=at.key, http_options={'base_url': at.root})


def chat(at: At) -> dict:
    answer = model(at).chat([ChatMessage(HELLO)])
    return {'text': answer.message.content}


def stream(at: At) -> dict:
    deltas = [answer.delta or '' for answer in model(at).stream_chat([ChatMessage(HELLO)])]
    return {'text': ''.join(deltas)}


def tools(at: At) -> dict:
    llm = model(at)
    tool = FunctionTool.from_defaults(weather)
    question = ChatMessage(WEATHER)
    first = llm.chat_with_tools([tool], chat_history=[question])
    messages = [question, first.message]
    for call in llm.get_tool_calls_from_response(first, error_on_no_tool_call=False):
        result = tool(**call.tool_kwargs)
        messages.append(
            ChatMessage(
                role='tool',
                content=result.content,
                additional_kwargs={'tool_call_id': call.tool_id, 'name': call.tool_name},
            )
        )
    answer = llm.chat_with_tools([tool], chat_history=messages)
    return {'text': answer.message.content}


def structured(at: At) -> dict:
    given = model(at).as_structured_llm(Person).chat([ChatMessage(PERSON)])
    return {'value': given.raw.model_dump(mode='json')}


def embeddings(at: At) -> dict:
    from llama_index.embeddings.openai import OpenAIEmbedding

    if at.format != 'chat':
        return None
    embedder = OpenAIEmbedding(model_name=at.embedding, api_key=at.key, api_base=at.v1)
    return {'vectors': embedder.get_text_embedding_batch(TEXTS)}

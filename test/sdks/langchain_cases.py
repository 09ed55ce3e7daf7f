"""The cases of LangChain's three libraries, which differ in the class of the model alone."""

from typing import Callable

from asked import CITY, HELLO, PERSON, TEXTS, WEATHER, At, Person, weather
from langchain_core.embeddings import Embeddings
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import tool

WEATHER_TOOL = tool(weather)


def cases(model: Callable[[At], BaseChatModel], embedder: Callable[[At], Embeddings] | None, json_mode) -> dict:
    """The cases with `model`; `json_mode` asks a model for JSON without a schema (None: it cannot)."""

    def chat(at: At) -> dict:
        answer = model(at).invoke(HELLO)
        return {'text': answer.text, 'usage': counted(answer)}

    def stream(at: At) -> dict:
        whole = joined(model(at).stream(HELLO))
        return {'text': whole.text, 'usage': counted(whole)}

    def tools(at: At) -> dict:
        return tool_round(model(at).bind_tools([WEATHER_TOOL]).invoke)

    def stream_tools(at: At) -> dict:
        able = model(at).bind_tools([WEATHER_TOOL])
        return tool_round(lambda messages: joined(able.stream(messages)))

    def structured(at: At) -> dict:
        # The library's default way for this vendor.
        given = model(at).with_structured_output(Person, include_raw=True).invoke(PERSON)
        if given['parsing_error']:
            raise given['parsing_error']
        return {'value': given['parsed'].model_dump(mode='json'), 'usage': counted(given['raw'])}

    def embeddings(at: At) -> dict:
        return {'vectors': embedder(at).embed_documents(TEXTS)}

    own = {'chat': chat, 'stream': stream, 'tools': tools, 'stream_tools': stream_tools, 'structured': structured}
    if json_mode:
        own['json_mode'] = lambda at: {'value': json_mode(model(at), CITY)}
    if embedder:
        own['embeddings'] = embeddings
    return own


def tool_round(ask) -> dict:
    messages = [HumanMessage(WEATHER)]
    first = ask(messages)
    results = [WEATHER_TOOL.invoke(call) for call in first.tool_calls]
    answer = ask([*messages, AIMessage(**first.model_dump(exclude={'type', 'chunk_position'})), *results])
    return {'text': answer.text, 'usage': counted(answer)}


def joined(chunks):
    whole = None
    for chunk in chunks:
        whole = chunk if whole is None else whole + chunk
    return whole


def counted(message) -> list[int]:
    return [message.usage_metadata['input_tokens'], message.usage_metadata['output_tokens']]

# /// script
# requires-python = "==3.11.*"
# dependencies = ["langchain-openai==1.7.4"]
# ///
"""LangChain with OpenAI's models, by Chat Completions and by Responses."""

import json

from asked import At
from langchain_cases import cases
from langchain_openai import ChatOpenAI, OpenAIEmbeddings

FORMATS = ['chat', 'responses']


def model(at: At) -> ChatOpenAI:
    responses = at.format == 'responses'
    return ChatOpenAI(base_url=at.v1, api_key=at.key, model=at.model, use_responses_api=responses, stream_usage=True)


def embedder(at: At) -> OpenAIEmbeddings:
    # Without the check it sends the texts; with it, it would fetch a tokenizer and send numbers.
    return OpenAIEmbeddings(base_url=at.v1, api_key=at.key, model=at.embedding, check_embedding_ctx_length=False)


def as_json(model: ChatOpenAI, text: str) -> dict:
    return json.loads(model.bind(response_format={'type': 'json_object'}).invoke(text).text)


globals().update(cases(model, embedder, as_json))

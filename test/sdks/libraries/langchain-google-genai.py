# /// script
# requires-python = "==3.11.*"
# dependencies = ["langchain-google-genai==4.4.3"]
# ///
"""LangChain with Google's models."""

import json

from asked import At
from langchain_cases import cases
from langchain_google_genai import ChatGoogleGenerativeAI, GoogleGenerativeAIEmbeddings

FORMATS = ['gemini']


def model(at: At) -> ChatGoogleGenerativeAI:
    return ChatGoogleGenerativeAI(base_url=at.root, google_api_key=at.key, model=at.model, vertexai=False)


def embedder(at: At) -> GoogleGenerativeAIEmbeddings:
    return GoogleGenerativeAIEmbeddings(base_url=at.root, google_api_key=at.key, model=at.embedding, vertexai=False)


def as_json(model: ChatGoogleGenerativeAI, text: str) -> dict:
    return json.loads(model.invoke(text, response_mime_type='application/json').text)


globals().update(cases(model, embedder, as_json))

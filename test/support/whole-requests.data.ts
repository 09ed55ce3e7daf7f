// A whole request of every path of the relay, with as much in it as its format has words for.
import type { Json } from './json.ts'

const schema = {
  type: 'object',
  properties: {
    city: { type: 'string', enum: ['Rome'], description: 'd', maxLength: 9 },
    list: { type: 'array', minItems: 1, items: { anyOf: [{ $ref: '#/$defs/one' }, { type: 'null' }] } },
  },
  required: ['city'],
  additionalProperties: false,
  $defs: { one: { type: ['integer', 'null'], minimum: 0, default: 1 } },
}
const image = 'data:image/png;base64,iVBORw0KGgo='
const chat = {
  messages: [
    { role: 'system', content: 'Be short.', name: 'operator' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Hello', cache_control: { type: 'ephemeral' } },
        { type: 'image_url', image_url: { url: image, detail: 'low' } },
        { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
        { type: 'file', file: { file_data: 'data:application/pdf;base64,AAAA', filename: 'a.pdf' } },
      ],
    },
    {
      role: 'assistant',
      content: 'Let me see',
      reasoning_content: 'hm',
      reasoning_signature: 's',
      tool_calls: [
        {
          id: 'c1',
          type: 'function',
          function: { name: 'weather', arguments: '{"city":"Rome"}' },
          extra_content: { google: { thought_signature: 's' } },
        },
      ],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'sunny' },
  ],
  tools: [
    { type: 'function', function: { name: 'weather', description: 'd', parameters: schema, strict: true } },
    {
      type: 'custom',
      custom: { name: 'raw', format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'a' } } },
    },
  ],
  tool_choice: { type: 'function', function: { name: 'weather' } },
  response_format: { type: 'json_schema', json_schema: { name: 'n', schema, strict: true } },
  web_search_options: { user_location: { type: 'approximate', approximate: { city: 'Rome' } } },
  stream_options: { include_usage: true },
  ...{ max_tokens: 9, temperature: 1, top_p: 1, stop: ['x'], n: 1, seed: 1, logprobs: true, top_logprobs: 1 },
  ...{ user: 'u', reasoning_effort: 'low', parallel_tool_calls: true, modalities: ['text'], stream: false },
  ...{ functions: [{ name: 'f', parameters: schema }], function_call: { name: 'f' }, metadata: { a: 'b' } },
}
const responses = {
  input: [
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] },
    { role: 'user', content: [{ type: 'input_image', image_url: image, detail: 'low' }] },
    { type: 'reasoning', id: 'rs', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'x' },
    { type: 'function_call', call_id: 'c1', name: 'weather', arguments: '{"city":"Rome"}', namespace: 'n' },
    { type: 'function_call_output', call_id: 'c1', output: [{ type: 'input_text', text: 'sunny' }] },
    { type: 'local_shell_call', id: 'l1', call_id: 'c2', action: { type: 'exec', command: ['ls'], env: {} } },
    { type: 'local_shell_call_output', id: 'l1', output: 'a' },
    { type: 'apply_patch_call', call_id: 'c3', operation: { type: 'create_file', path: 'a', diff: '+a' } },
    { type: 'custom_tool_call', call_id: 'c4', name: 'raw', input: 'a' },
    { type: 'shell_call', call_id: 'c5', action: { commands: ['ls'], timeout_ms: 1 } },
    {
      type: 'shell_call_output',
      call_id: 'c5',
      output: [{ stdout: 'a', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
    },
  ],
  instructions: 'Be short.',
  tools: [
    { type: 'function', name: 'weather', description: 'd', parameters: schema, strict: true },
    { type: 'namespace', name: 'n', description: 'd', tools: [{ type: 'function', name: 'f', parameters: schema }] },
    { type: 'web_search', filters: { allowed_domains: ['a.example'] }, user_location: { type: 'approximate' } },
    { type: 'shell', environment: { type: 'local', skills: [{ name: 's', path: 'p', description: 'd' }] } },
    { type: 'custom', name: 'raw', format: { type: 'text' } },
    { type: 'tool_search', execution: 'client', description: 'd', parameters: schema },
  ],
  tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'weather' }] },
  text: { format: { type: 'json_schema', name: 'n', schema }, verbosity: 'low' },
  reasoning: { effort: 'low', summary: 'auto' },
  include: ['reasoning.encrypted_content', 'message.output_text.logprobs'],
  ...{ max_output_tokens: 9, temperature: 1, top_p: 1, top_logprobs: 1, user: 'u', store: false, stream: false },
  ...{ metadata: { a: 'b' }, truncation: 'auto', prompt_cache_key: 'k', parallel_tool_calls: true },
}
const messages = {
  system: [{ type: 'text', text: 'Be short.', cache_control: { type: 'ephemeral', ttl: '1h' } }],
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Hello', citations: [{ type: 'char_location', cited_text: 'a' }] },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
        {
          type: 'document',
          title: 't',
          source: { type: 'text', media_type: 'text/plain', data: 'd' },
          citations: { enabled: true },
        },
        { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'a' }] } },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 's' },
        { type: 'redacted_thinking', data: 'd' },
        { type: 'tool_use', id: 'c1', name: 'weather', input: { city: 'Rome' } },
        { type: 'compaction', content: 'so far' },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'sunny' }], is_error: false },
        { type: 'search_result', source: 's', title: 't', content: [{ type: 'text', text: 'a' }] },
        { type: 'tool_reference', tool_name: 'weather' },
      ],
    },
  ],
  tools: [
    { name: 'weather', description: 'd', input_schema: schema, strict: true, cache_control: { type: 'ephemeral' } },
    {
      type: 'web_search_20250305',
      name: 'web_search',
      max_uses: 1,
      user_location: { type: 'approximate', city: 'Rome' },
    },
  ],
  tool_choice: { type: 'tool', name: 'weather', disable_parallel_tool_use: true },
  thinking: { type: 'enabled', budget_tokens: 1024 },
  output_config: { effort: 'low', format: { type: 'json_schema', schema } },
  ...{
    max_tokens: 2000,
    temperature: 1,
    top_p: 1,
    top_k: 1,
    stop_sequences: ['x'],
    metadata: { user_id: 'u' },
    stream: false,
  },
}
const gemini = {
  contents: [
    {
      role: 'user',
      parts: [
        { text: 'Hello' },
        { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } },
        { fileData: { mimeType: 'image/png', fileUri: 'https://a.example/a.png' } },
      ],
    },
    {
      role: 'model',
      parts: [
        { text: 'hm', thought: true, thoughtSignature: 's' },
        { functionCall: { id: 'c1', name: 'weather', args: { city: 'Rome' } } },
        { executableCode: { language: 'PYTHON', code: '1' } },
        { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
      ],
    },
    {
      role: 'user',
      parts: [{ functionResponse: { id: 'c1', name: 'weather', response: { output: 'sunny' }, parts: [] } }],
    },
  ],
  systemInstruction: { parts: [{ text: 'Be short.' }] },
  tools: [{ functionDeclarations: [{ name: 'weather', description: 'd', parameters: schema }] }, { googleSearch: {} }],
  toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['weather'] } },
  generationConfig: {
    ...{ temperature: 1, topP: 1, topK: 1, candidateCount: 1, maxOutputTokens: 9, stopSequences: ['x'], seed: 1 },
    ...{ responseMimeType: 'application/json', responseSchema: schema, responseLogprobs: true, logprobs: 1 },
    ...{ thinkingConfig: { includeThoughts: true, thinkingBudget: 9 }, responseModalities: ['TEXT'] },
  },
  serviceTier: 'standard',
}
const completions = {
  ...{ prompt: 'Hello', suffix: 's', max_tokens: 9, stop: ['x'], n: 1, user: 'u', echo: false, stream: false },
  stream_options: { include_usage: true },
}

/** Without their model; `MODEL` in a path is where it goes. */
export const SEEDS: Record<string, Json> = {
  '/v1/chat/completions': chat,
  '/v1/responses': responses,
  '/v1/messages': messages,
  '/v1/messages/count_tokens': messages,
  '/v1beta/models/MODEL:generateContent': gemini,
  '/v1beta/models/MODEL:streamGenerateContent?alt=sse': gemini,
  '/v1beta/models/MODEL:countTokens': { generateContentRequest: gemini },
  '/v1beta/models/MODEL:embedContent': { content: { parts: [{ text: 'a' }] }, taskType: 'RETRIEVAL_QUERY' },
  '/v1beta/models/MODEL:batchEmbedContents': { requests: [{ content: { parts: [{ text: 'a' }] } }] },
  '/v1/completions': completions,
  '/v1/embeddings': { input: ['a', [1, 2]], dimensions: 1, encoding_format: 'float', user: 'u' },
  '/v1/moderations': {
    input: [
      { type: 'text', text: 'a' },
      { type: 'image_url', image_url: { url: image } },
    ],
  },
  '/v1/rerank': { query: 'q', documents: ['a', { text: 'b' }], top_n: 1, return_documents: true },
  '/v1/images/generations': { prompt: 'p', n: 1, size: '1024x1024', quality: 'high', response_format: 'url' },
  '/v1/audio/speech': { input: 'Hello', voice: 'alloy', speed: 1, response_format: 'mp3', stream_format: 'audio' },
}

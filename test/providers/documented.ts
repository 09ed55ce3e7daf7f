// Answers that vendors show in their own documentation, each with where it was read, and what a call through a channel of
// that type must make of it. For the types of which no recorded traffic is at hand. Long ones are shortened.
import type { TestReply } from '../support/upstream.ts'

export interface Documented {
  type: number
  /** The address of the vendor's page, or the vendor's repository and the path in it. */
  page: string
  /** What is less than that: read elsewhere than on the page, or not all of it shown there. */
  but?: string
  /** What is shown: `an answer`, `a stream`, `a refusal`, `a balance` … */
  shows: 'an answer' | 'a stream' | 'a refusal' | 'a balance'
  /** Fields of the channel that the type wants. */
  channel?: { key?: string; other?: string }
  model?: string
  reply: TestReply
  /** The request, as far as it is the provider's own. */
  asked: { path: string; headers?: Record<string, unknown>; json?: unknown }
  /** The text of the answer, the message of the refusal, or the balance. */
  says: string | number
  /** Prompt and completion tokens, where the answer tells them. */
  usage?: [number, number]
  /** Of a refusal. */
  status?: number
}

const json = (body: object): TestReply => ({ body })
const stream = (...events: string[]): TestReply => ({ chunks: events.map((event) => `${event}\n\n`) })
const said = (content: string) => ({ message: { role: 'assistant', content }, finish_reason: 'stop', index: 0 })
const data = (event: object): string => `data: ${JSON.stringify(event)}`

const HUNYUAN = {
  Note: '以上内容为AI生成，不代表开发者立场，请勿删除或修改本标记',
  Created: 1705634813,
  Id: '681ef57e-9f1e-4faa-a2d3-07b655a1fa1f',
}
const SIGNED = /^TC3-HMAC-SHA256 Credential=an id\/\d{4}-\d\d-\d\d\/hunyuan\/tc3_request, /
const HUNYUAN_PAGE = 'TencentCloud/tencentcloud-cli: tccli/examples/hunyuan/v20230901/ChatCompletions.md'
const hunyuan = (Content: string, FinishReason: string, CompletionTokens: number): string =>
  data({
    ...HUNYUAN,
    Choices: [{ FinishReason, Delta: { Role: 'assistant', Content } }],
    Usage: { PromptTokens: 36, CompletionTokens, TotalTokens: 36 + CompletionTokens },
  })

const BOT = { bot_id: '7379462189365198898' }
const COZE = { conversation_id: '7381473525342978089', ...BOT }
const coze = (event: string, more: object): string =>
  `event:conversation.${event}\ndata:${JSON.stringify({ ...COZE, ...more })}`
const cozeChat = (status: string, usage: object) => ({
  ...{ id: '7382159487131697202', completed_at: 1718792949, last_error: { code: 0, msg: '' }, status, usage },
})
const cozeSays = (type: string, content: string) => ({
  ...{ id: '7382159494123470858', role: 'assistant', type, content, content_type: 'text' },
})

const DIFY = 'langgenius/dify: web/app/components/develop/template/template_chat.en.mdx'
const conversation_id = '45701982-8118-4bc5-8e9b-64562b4555f2'
const dify = (answer: string, event = 'message'): string =>
  data({ event, message_id: '5ad4cb98-f0c7-4085-b384-88c403be6290', conversation_id, answer, created_at: 1679586595 })

export const documented: readonly Documented[] = [
  {
    type: 15,
    page: 'baidubce/bce-qianfan-sdk: python/qianfan/tests/utils/mock_server.py',
    but: "the SDK's test; the text, which it makes up, is of copies of the vendor's page",
    shows: 'an answer',
    channel: { key: 'an api key|a secret key' },
    model: 'ERNIE-4.0-8K',
    reply: json({
      id: 'as-bcmt5ct4iy',
      object: 'chat.completion',
      created: 1680167072,
      result: '您好，我是百度研发的知识增强大语言模型，中文名是文心一言，英文名是ERNIE-Bot。',
      is_truncated: false,
      need_clear_history: false,
      usage: { prompt_tokens: 7, completion_tokens: 67, total_tokens: 74 },
    }),
    asked: { path: '/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/completions_pro?access_token=a+token' },
    says: '您好，我是百度研发的知识增强大语言模型，中文名是文心一言，英文名是ERNIE-Bot。',
    usage: [7, 67],
  },
  {
    type: 15,
    page: 'https://cloud.baidu.com/theme/A/2231465-8',
    but: 'an excerpt of the page of error codes',
    shows: 'a refusal',
    channel: { key: 'an api key|a secret key' },
    reply: json({ error_code: 110, error_msg: 'Access token invalid or no longer valid' }),
    asked: { path: '/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/gpt-4o-mini?access_token=a+token' },
    says: 'Access token invalid or no longer valid',
    status: 401,
  },
  {
    type: 18,
    page: 'https://xfyun.cn/doc/spark/HTTP调用文档.html',
    but: 'the example was read in a copy of the page',
    shows: 'an answer',
    channel: { key: 'a password' },
    model: 'generalv3.5',
    reply: json({
      code: 0,
      message: 'Success',
      sid: 'cha000b0003@dx1905cd86d6bb86d552',
      choices: [{ message: { role: 'assistant', content: '你好，我是由科大讯飞构建的星火认知智能模型。' }, index: 0 }],
      usage: { prompt_tokens: 6, completion_tokens: 42, total_tokens: 48 },
    }),
    asked: { path: '/v1/chat/completions', headers: { authorization: 'Bearer a password' } },
    says: '你好，我是由科大讯飞构建的星火认知智能模型。',
    usage: [6, 42],
  },
  {
    type: 22,
    page: 'labring/FastGPT: docSite/content/zh-cn/docs/development/openapi/chat.md',
    shows: 'an answer',
    channel: { key: 'fastgpt-a-key' },
    reply: json({
      id: 'adsfasf',
      model: '',
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 1 },
      choices: [said('电影《铃芽之旅》的导演是新海诚。')],
    }),
    asked: { path: '/v1/chat/completions', headers: { authorization: 'Bearer fastgpt-a-key' } },
    says: '电影《铃芽之旅》的导演是新海诚。',
    usage: [1, 1],
  },
  {
    type: 23,
    page: HUNYUAN_PAGE,
    shows: 'a stream',
    channel: { key: 'an app|an id|a secret' },
    model: 'hunyuan',
    reply: stream(hunyuan('很好', '', 1), hunyuan('：', '', 2), hunyuan('nice', '', 3), hunyuan('', 'stop', 3)),
    asked: {
      path: '/',
      headers: {
        'x-tc-action': 'ChatCompletions',
        'x-tc-version': '2023-09-01',
        authorization: { asymmetricMatch: (it: unknown) => SIGNED.test(String(it)) },
      },
    },
    says: '很好：nice',
    usage: [36, 3],
  },
  {
    type: 23,
    page: HUNYUAN_PAGE,
    shows: 'a refusal',
    channel: { key: 'an app|an id|a secret' },
    reply: json({
      Response: {
        RequestId: '188cc996',
        Error: { Code: 'InvalidParameter', Message: 'Temperature must be 2 or less' },
      },
    }),
    asked: { path: '/' },
    says: 'Temperature must be 2 or less',
    status: 400,
  },
  {
    type: 25,
    page: 'https://platform.moonshot.cn/docs/api/balance',
    shows: 'a balance',
    reply: json({
      code: 0,
      data: { available_balance: 49.58894, voucher_balance: 46.58893, cash_balance: 3.00001 },
      scode: '0x0',
      status: true,
    }),
    asked: { path: '/v1/users/me/balance' },
    says: 49.58894,
  },
  {
    type: 35,
    page: 'https://platform.minimax.io/docs/api-reference/errorcode.md',
    but: 'code and message alone; the form of the body is written from what other gateways send',
    shows: 'a refusal',
    reply: json({ base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }),
    asked: { path: '/v1/chat/completions' },
    says: 'insufficient balance',
    status: 402,
  },
  {
    type: 37,
    page: DIFY,
    shows: 'a stream',
    channel: { key: 'app-a-key' },
    model: 'an-app',
    reply: stream(
      'event: ping',
      dify(' I'),
      dify("'m"),
      dify(' glad', 'agent_message'),
      data({
        event: 'message_end',
        id: '5e52ce04-874b-4d27-9045-b3bc80def685',
        conversation_id,
        metadata: { usage: { prompt_tokens: 1033, completion_tokens: 135, total_tokens: 1168, currency: 'USD' } },
      }),
      dify('', 'tts_message_end'),
    ),
    asked: {
      path: '/v1/chat-messages',
      headers: { authorization: 'Bearer app-a-key' },
      json: { query: 'Hello', response_mode: 'streaming' },
    },
    says: " I'm glad",
    usage: [1033, 135],
  },
  {
    type: 37,
    page: 'langgenius/dify-docs: en/api-reference/openapi_chat.json',
    shows: 'a refusal',
    reply: {
      status: 400,
      body: { status: 400, code: 'app_unavailable', message: 'App unavailable, please check your app configurations.' },
    },
    asked: { path: '/v1/chat-messages' },
    says: 'App unavailable, please check your app configurations.',
    status: 400,
  },
  {
    type: 40,
    page: 'https://docs.siliconflow.cn/cn/api-reference/userinfo/get-user-info',
    shows: 'a balance',
    reply: json({
      code: 20000,
      message: 'OK',
      status: true,
      data: { id: 'userid', balance: '0.88', chargeBalance: '88.00', totalBalance: '88.88' },
    }),
    asked: { path: '/v1/user/info' },
    says: 88.88,
  },
  {
    type: 43,
    page: 'https://api-docs.deepseek.com/zh-cn/api/get-user-balance.md',
    shows: 'a balance',
    reply: json({
      is_available: true,
      balance_infos: [
        { currency: 'CNY', total_balance: '110.00', granted_balance: '10.00', topped_up_balance: '100.00' },
      ],
    }),
    asked: { path: '/user/balance' },
    says: 110,
  },
  {
    type: 45,
    page: 'https://www.volcengine.com/docs/82379/1298454',
    but: 'read in copies of the page',
    shows: 'an answer',
    model: 'ep-20240704-a',
    reply: json({
      id: '021718067849899d92fcbe0865fdffdde',
      object: 'chat.completion',
      created: 1720582714,
      model: 'doubao-pro-32k-240615',
      choices: [{ ...said('Hello, can i help you with something?'), logprobs: null }],
      usage: { prompt_tokens: 22, completion_tokens: 9, total_tokens: 31 },
    }),
    asked: { path: '/api/v3/chat/completions', json: { model: 'ep-20240704-a' } },
    says: 'Hello, can i help you with something?',
    usage: [22, 9],
  },
  {
    type: 49,
    page: 'coze-dev/coze-py: tests/test_chat.py',
    but: "the SDK's test; the same example was read in copies of the vendor's page",
    shows: 'a stream',
    channel: { key: 'pat_a-key', other: BOT.bot_id },
    model: 'a-bot',
    reply: stream(
      coze('chat.created', cozeChat('created', { token_count: 0, output_count: 0, input_count: 0 })),
      coze('chat.in_progress', cozeChat('in_progress', { token_count: 0, output_count: 0, input_count: 0 })),
      coze('message.delta', cozeSays('answer', '2024 年 10 月 1 日')),
      coze('message.delta', cozeSays('answer', '是星期三。')),
      coze('message.completed', cozeSays('answer', '2024 年 10 月 1 日是星期三。')),
      coze('message.completed', cozeSays('verbose', '{"msg_type":"generate_answer_finish","data":""}')),
      coze('chat.completed', cozeChat('completed', { token_count: 633, output_count: 19, input_count: 614 })),
      'event:done\ndata:"[DONE]"',
    ),
    asked: { path: '/v3/chat', headers: { authorization: 'Bearer pat_a-key' }, json: { ...BOT, stream: true } },
    says: '2024 年 10 月 1 日是星期三。',
    usage: [614, 19],
  },
  {
    type: 49,
    page: 'https://github.com/coze-dev/coze-py/issues/78',
    but: "as a user of the vendor's SDK was answered; the page of error codes was not found",
    shows: 'a refusal',
    channel: { key: 'pat_a-key', other: BOT.bot_id },
    model: 'a-bot',
    reply: json({ code: 4100, msg: 'authentication is invalid' }),
    asked: { path: '/v3/chat' },
    says: 'authentication is invalid',
    status: 401,
  },
]

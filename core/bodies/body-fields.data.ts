// The fields for storing bodies of calls.
import type { Field } from '../contract/field.ts'
import { words } from '../errors.ts'

export const bodyFields = {
  recipient: {
    label: words('Public key', '公钥'),
    help: words(
      'The age recipient (age1…) that bodies are encrypted for; its secret stays with you',
      '用于加密请求与回答的 age 公钥（age1…）；私钥由您自己保管',
    ),
    example: 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p',
  },
  every_token: {
    label: words('All tokens', '全部令牌'),
    help: words('Keep the bodies of calls with any of your tokens', '保存使用您任一令牌的调用内容'),
    example: false,
  },
  token_ids: {
    label: words('Tokens', '令牌'),
    help: words('Numbers of the tokens whose calls are kept', '要保存其调用内容的令牌编号'),
    example: [3],
  },
} as const satisfies Record<string, Field>

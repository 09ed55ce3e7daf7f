// The fields for storing bodies of calls.
import type { FieldDeclaration } from '../contract/field.ts'
import { words } from '../errors.ts'

export const bodyFields = {
  recipient: {
    label: words('Public key'),
    help: words('The age recipient (age1…) that bodies are encrypted for; its secret stays with you'),
    example: 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p',
  },
  every_token: {
    label: words('All tokens'),
    help: words('Keep the bodies of calls with any of your tokens'),
    example: false,
  },
  token_ids: {
    label: words('Tokens'),
    help: words('Ids of the tokens whose calls are stored'),
    example: [3],
  },
} as const satisfies Record<string, FieldDeclaration>

// The fields of the state as a file.
import type { FieldDeclaration } from '../contract/field.ts'
import { words } from '../errors.ts'

export const stateFields = {
  document: {
    label: words('File'),
    help: words('The state as a file has it, with its references filled in'),
    kind: 'json',
    example: { weir: 1, groups: { vip: { ratio: 0.8 } } },
  },
  unresolved: {
    label: words('Unresolved references'),
    help: words('Section, key and fields of each value whose reference could not be resolved: what Weir has there stays'),
    kind: 'json',
    example: [['channels', 'openai', 'headers', 'X-Team']],
  },
  source: {
    label: words('Name of the file'),
    help: words('The file that is recorded as the owner of the objects in it'),
    example: 'weir.yaml',
  },
  prune: {
    label: words('Remove the rest'),
    help: words('Remove entries that the file does not list, in the sections that it has'),
    example: false,
  },
  digest: {
    label: words('Plan'),
    help: words('Digest of a plan: refused where Weir is not as it was then'),
    example: '5f2c…',
  },
  seal_to: {
    label: words('Recipient', { context: 'backup' }),
    help: words('age recipient that secrets are sealed for; empty for references to variables'),
    example: 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p',
  },
  people: {
    label: words('With people'),
    help: words('With users, API tokens and members of teams'),
    example: false,
  },
} as const satisfies Record<string, FieldDeclaration>

// The fields of the state as a file.
import type { Field } from '../contract/field.ts'
import { words } from '../errors.ts'

export const stateFields = {
  document: {
    label: words('File', '文件'),
    help: words('The state as a file has it, with its references filled in', '文件中的状态，引用已替换为实际内容'),
    kind: 'json',
    example: { weir: 1, groups: { vip: { ratio: 0.8 } } },
  },
  unresolved: {
    label: words('Unresolved references', '未解析的引用'),
    help: words(
      'Section, key and fields of each value whose reference could not be resolved: what Weir has there stays',
      '引用无法解析的各项所在的部分、键与字段：Weir 中的现有内容保持不变',
    ),
    kind: 'json',
    example: [['channels', 'openai', 'headers', 'X-Team']],
  },
  source: {
    label: words('Name of the file', '文件名'),
    help: words('What is said to own the things that it names', '被标记为其中各项的所有者'),
    example: 'weir.yaml',
  },
  prune: {
    label: words('Remove the rest', '移除其余'),
    help: words(
      'Take out what the file does not name, in the sections that it has',
      '在文件包含的各部分中，移除文件未提及的内容',
    ),
    example: false,
  },
  digest: {
    label: words('Plan', '计划'),
    help: words(
      'Digest of a plan: refused where Weir is not as it was then',
      '计划的摘要：Weir 的状态与当时不同则拒绝',
    ),
    example: '5f2c…',
  },
  seal_to: {
    label: words('Recipient', '接收方'),
    help: words(
      'age recipient that secrets are sealed for; empty for references to variables',
      '机密内容的 age 接收方；留空则写为环境变量引用',
    ),
    example: 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p',
  },
  people: {
    label: words('With people', '包含用户'),
    help: words('With users, API tokens and members of teams', '包含用户、API 令牌与团队成员'),
    example: false,
  },
} as const satisfies Record<string, Field>

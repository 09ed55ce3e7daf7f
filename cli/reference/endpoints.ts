// The reference page of endpoints: the management API as declared in the contract.
import { proofSentence, scopeSentence, type Access } from '../../core/contract/endpoint.ts'
import { contract, endpoints } from '../../core/contracts.ts'
import { fillTemplate, words, type Language, type Words } from '../../core/errors.ts'
import { fieldsOf } from '../endpoint-input.ts'
import { code, markdownTable, type Page } from './page.ts'

const WHO: Record<Access, Words> = {
  public: words('everybody', '所有人'),
  user: words('signed-in users', '已登录用户'),
  admin: words('administrators', '管理员'),
  root: words('the super administrator', '超级管理员'),
}

export const endpointsPage: Page = {
  topic: 'endpoints',
  summary: words(
    'Every operation of the management API: path, access, fields',
    '管理 API 的每个操作：路径、权限、字段',
  ),
  write: (_, language) =>
    [
      `# ${TITLE[language]}`,
      HOW[language],
      ...Object.keys(contract).flatMap((feature) => [`## ${feature}`, ...listEndpoints(feature, language)]),
    ].join('\n\n') + '\n',
}

const TITLE = words('Endpoints', '接口')
const HOW = words(
  'Every reply is `{"success": true, "message": "", "data": …}`; a refusal is `{"success": false, "message": "…", "code": "…"}`. ' +
    'From a terminal: `weir call NAME --field value`. From elsewhere: `Authorization: Bearer ACCESS_TOKEN`.',
  '应答均为 `{"success": true, "message": "", "data": …}`；拒绝为 `{"success": false, "message": "…", "code": "…"}`。' +
    '在终端中：`weir call NAME --field value`。在其他地方：`Authorization: Bearer ACCESS_TOKEN`。',
)
const WHAT = words('{how}, for {who}. {summary}.{proof}{scope}', '{how}，用于{who}。{summary}。{proof}{scope}')
const TITLES = [words('Field', '字段'), words('In', '位置'), words('Kind', '类型'), words('Needed', '必填')]
const YES = words('yes', '是')

function listEndpoints(feature: string, language: Language): string[] {
  return [...endpoints]
    .filter(([name]) => name.startsWith(`${feature}.`))
    .flatMap(([name, endpoint]) => {
      const fields = fieldsOf(endpoint)
      return [
        `### ${name}`,
        fillTemplate(WHAT, {
          how: code(`${endpoint.method} ${endpoint.path}`),
          who: WHO[endpoint.access],
          summary: endpoint.summary,
          proof: proofSentence(endpoint),
          scope: scopeSentence(endpoint),
        })[language],
        ...(fields.length === 0
          ? []
          : [
              markdownTable(
                TITLES.map((title) => title[language]),
                fields.map((field) => [
                  code(field.name),
                  field.place,
                  field.shown,
                  field.required ? YES[language] : '',
                ]),
              ),
            ]),
      ]
    })
}

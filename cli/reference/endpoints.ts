// The reference page of endpoints: the management API as declared in the contract.
import { proofSentence, scopeSentence, type Access } from '../../core/contract/endpoint.ts'
import { contract, endpoints } from '../../core/contracts.ts'
import { fillTemplate, type Language, type Words } from '../../core/errors.ts'
import { fieldsOf } from '../endpoint-input.ts'
import { code, markdownTable, type Page } from './page.ts'
import { words } from '../texts.ts'

const WHO: Record<Access, Words> = {
  public: words('everybody'),
  user: words('signed-in users'),
  admin: words('administrators'),
  root: words('the super administrator'),
}

export const endpointsPage: Page = {
  topic: 'endpoints',
  summary: words('Every operation of the management API: path, access, fields'),
  write: (_, language) =>
    [
      `# ${TITLE[language]}`,
      HOW[language],
      ...Object.keys(contract).flatMap((feature) => [`## ${feature}`, ...listEndpoints(feature, language)]),
    ].join('\n\n') + '\n',
}

const TITLE = words('Endpoints')
const HOW = words(
  'Every reply is `{"success": true, "message": "", "data": …}`; a refusal is `{"success": false, "message": "…", "code": "…"}`. From a terminal: `weir call NAME --field value`. From elsewhere: `Authorization: Bearer ACCESS_TOKEN`.',
)
const WHAT = words('{how}, for {who}. {summary}.{proof}{scope}')
const TITLES = [words('Field'), words('In'), words('Kind'), words('Needed')]
const YES = words('yes')

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

// The reference page of endpoints: the management API as declared in the contract.
import { describeReauthentication, describeRequiredScope, type EndpointAccess } from '../../core/contract/endpoint.ts'
import { apiContract, endpointsByName } from '../../core/contracts.ts'
import { fillTemplate, type Language, type Words } from '../../core/errors.ts'
import { listEndpointFields } from '../input/callable-endpoint.ts'
import { formatMarkdownCode, formatMarkdownTable, type ReferencePage } from './page.ts'
import { words } from '../texts.ts'

const WHO: Record<EndpointAccess, Words> = {
  public: words('all users'),
  user: words('signed-in users'),
  admin: words('administrators'),
  root: words('the super administrator'),
}

export const endpointsReferencePage: ReferencePage = {
  topic: 'endpoints',
  summary: words('Every operation of the management API: path, access, fields'),
  write: (_, language) =>
    [
      `# ${TITLE[language]}`,
      HOW[language],
      ...Object.keys(apiContract).flatMap((feature) => [`## ${feature}`, ...listEndpoints(feature, language)]),
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
  return [...endpointsByName]
    .filter(([name]) => name.startsWith(`${feature}.`))
    .flatMap(([name, endpoint]) => {
      const fields = listEndpointFields(endpoint)
      return [
        `### ${name}`,
        fillTemplate(WHAT, {
          how: formatMarkdownCode(`${endpoint.method} ${endpoint.path}`),
          who: WHO[endpoint.access],
          summary: endpoint.summary,
          proof: describeReauthentication(endpoint),
          scope: describeRequiredScope(endpoint),
        })[language],
        ...(fields.length === 0
          ? []
          : [
              formatMarkdownTable(
                TITLES.map((title) => title[language]),
                fields.map((field) => [
                  formatMarkdownCode(field.name),
                  field.place,
                  field.shown,
                  field.required ? YES[language] : '',
                ]),
              ),
            ]),
      ]
    })
}

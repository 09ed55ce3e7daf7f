// The page of endpoints: the management API as declared in the contract.
import { proofSentence, scopeSentence } from '../../core/contract/endpoint.ts'
import { contract, endpoints } from '../../core/contracts.ts'
import { fieldsOf } from '../endpoint-input.ts'
import { code, markdownTable, type Page } from './page.ts'

const access = {
  public: 'everybody',
  user: 'signed-in users',
  admin: 'administrators',
  root: 'the super administrator',
}

export const endpointsPage: Page = {
  topic: 'endpoints',
  summary: 'Every operation of the management API: path, access, fields',
  write: () =>
    [
      '# Endpoints',
      'Every reply is `{"success": true, "message": "", "data": …}`; a refusal is `{"success": false, "message": "…", "code": "…"}`. ' +
        'From a terminal: `weir call NAME --field value`. From elsewhere: `Authorization: Bearer ACCESS_TOKEN`.',
      ...Object.keys(contract).flatMap((feature) => [`## ${feature}`, ...endpointsIn(feature)]),
    ].join('\n\n') + '\n',
}

function endpointsIn(feature: string): string[] {
  return [...endpoints]
    .filter(([name]) => name.startsWith(`${feature}.`))
    .flatMap(([name, endpoint]) => {
      const fields = fieldsOf(endpoint)
      return [
        `### ${name}`,
        `${code(`${endpoint.method} ${endpoint.path}`)}, for ${access[endpoint.access]}. ${endpoint.summary}.${proofSentence(endpoint)}${scopeSentence(endpoint)}`,
        ...(fields.length === 0
          ? []
          : [
              markdownTable(
                ['Field', 'In', 'Kind', 'Needed'],
                fields.map((field) => [code(field.name), field.place, field.shown, field.required ? 'yes' : '']),
              ),
            ]),
      ]
    })
}

// Groups with their ratios, and the numbers of their users, tokens and channels.
import { fillTemplate } from '../../../core/errors.ts'
import { groupRowView, type ShownGroup } from '../../nouns/group.ts'
import { refuseEmptyText } from '../../nouns/questions.ts'
import type { FormAnswers, FormQuestion } from '../../parts/form-state.ts'
import { words } from '../../texts.ts'
import { appendFlags, declareUiPage, formatFlagWords, listGivenAnswers, matchesFilter } from '../page.ts'

const formatSpecial = (special: ShownGroup['special'] = {}): string =>
  Object.entries(special)
    .map(([name, ratio]) => `${name}=${ratio}`)
    .join(',')

/** Returns the flags for changed fields; special ratios that are no longer listed are removed by an empty value. */
function formatGroupFlags({ special: before = {} }: ShownGroup, { special, ...changed }: FormAnswers): string[] {
  if (special === undefined) return formatFlagWords(changed)
  const pairs = special.split(',').filter((pair) => pair.trim() !== '')
  const named = pairs.map((pair) => pair.slice(0, Math.max(0, pair.lastIndexOf('='))).trim())
  const removed = Object.keys(before).filter((name) => !named.includes(name))
  return formatFlagWords({ ...changed, special: [...pairs, ...removed.map((name) => `${name}=`)].join(',') })
}

const buildGroupQuestions = ({ ratio = 1, description }: Partial<ShownGroup>): readonly FormQuestion[] => [
  { name: 'ratio', label: words('Ratio'), kind: 'text', initial: String(ratio), check: refuseEmptyText },
  { name: 'description', label: words('Description'), kind: 'text', initial: description ?? '' },
]

export const groupsPage = declareUiPage<ShownGroup>({
  name: 'groups',
  title: words('Groups'),
  view: groupRowView,
  empty: words('No groups.'),
  every_ms: 10_000,
  async load({ client }, filter) {
    const rows = (await client.groups.table()).filter(({ name, description }) =>
      matchesFilter(filter, name, description),
    )
    return { rows, total: rows.length }
  },
  actions: [
    {
      key: 'e',
      name: words('edit'),
      edits: true,
      form: (row) => [
        ...buildGroupQuestions(row),
        {
          name: 'special',
          label: words('Special ratios'),
          kind: 'text',
          hint: words('ratios for users of other groups: vip=0.5,svip=0.4'),
          initial: formatSpecial(row.special),
        },
      ],
      sure: ({ name }) => fillTemplate(words('Save the changes of “{name}”?'), { name }),
      command: (row, _, changed) => appendFlags(['groups', 'set', row.name], formatGroupFlags(row, changed)),
    },
    {
      key: 'n',
      name: words('new'),
      rowless: true,
      form: () => [
        { name: 'name', label: words('Name'), kind: 'text', check: refuseEmptyText },
        ...buildGroupQuestions({}),
      ],
      sure: (_, { name = '' }) => fillTemplate(words('Add the group “{name}”?'), { name }),
      command: (_, { name = '', ...answers }) => [
        ...['groups', 'set', name],
        ...formatFlagWords(listGivenAnswers(answers)),
      ],
    },
    {
      key: 'x',
      name: words('delete'),
      sure: ({ name, users = 0, tokens = 0, channels = 0 }) =>
        fillTemplate(words('Delete the group “{name}” ({users} users, {tokens} tokens, {channels} channels)?'), {
          name,
          users,
          tokens,
          channels,
        }),
      command: ({ name }) => ['groups', 'rm', '--yes', name],
    },
  ],
  id: ({ name }) => name,
  copied: ({ name }) => name,
})

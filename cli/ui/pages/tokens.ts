// One's own tokens: what they may spend, until when.
import { words } from '../../../core/errors.ts'
import { TOKEN_STATUS, type Token } from '../../../core/tokens/token.ts'
import { tokenView } from '../../nouns/token.ts'
import { everyRow } from '../../paging.ts'
import { matches, uiPage } from '../page.ts'

const MOST = 100

export const tokens = uiPage<Token>({
  name: 'tokens',
  title: words('Tokens', '令牌'),
  view: tokenView,
  every_ms: 5000,
  async load({ client }, filter) {
    const found = await everyRow((cursor) => client.tokens.list({ cursor, size: MOST }))
    const rows = found.filter(({ id, name, group }) => matches(filter, id, name, group))
    return { rows, total: rows.length }
  },
  actions: [
    {
      key: 'd',
      name: words('disable/enable', '禁用/启用'),
      sure: ({ name, status }) =>
        status === TOKEN_STATUS.enabled
          ? words(
              `Disable the token “${name}”? Calls with its key are refused.`,
              `禁用令牌“${name}”？使用其密钥的调用将被拒绝。`,
            )
          : words(`Enable the token “${name}”?`, `启用令牌“${name}”？`),
      async run({ client }, { id, name, status }) {
        const on = status !== TOKEN_STATUS.enabled
        await client.tokens.update({
          id,
          status_only: 'true',
          status: on ? TOKEN_STATUS.enabled : TOKEN_STATUS.disabled,
        })
        return on
          ? words(`“${name}” is enabled.`, `“${name}”已启用。`)
          : words(`“${name}” is disabled.`, `“${name}”已禁用。`)
      },
    },
    {
      key: 'e',
      name: words('edit', '编辑'),
      form: ({ name, group }) => [
        { name: 'name', label: words('Name', '名称'), kind: 'text', initial: name },
        { name: 'group', label: words('Group', '分组'), kind: 'text', initial: group },
      ],
      sure: ({ name }) => words(`Save the changes of “${name}”?`, `保存对“${name}”的更改？`),
      async run({ client }, { id }, { name, group }) {
        const changed = await client.tokens.update({ id, name, group })
        return words(`Changed “${changed.name}”.`, `已更改“${changed.name}”。`)
      },
    },
  ],
  copied: ({ name }) => name,
})

// The tokens that spend from a team's balance, with their owners.
import { TOKEN_STATUS } from '../../../core/tokens/token.ts'
import type { Team } from '../../../core/teams/team.ts'
import { client } from '../../data/client.ts'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { toRows, usePagingInside } from '../../data/use-paging.ts'
import { useText } from '../../data/texts.tsx'
import type { Column } from '../../parts/table/column.ts'
import { Table } from '../../parts/table/table.tsx'
import { TokenLimits } from '../tokens/budgets.tsx'
import { useOthersTokenColumns } from '../tokens/columns.tsx'
type TeamToken = Awaited<ReturnType<typeof client.tokens.ofTeam>>['items'][number]

export function TeamTokens({ team: { id } }: { team: Team }) {
  const t = useText()
  const paging = usePagingInside()
  const { page, size } = paging
  const list = useEndpoint(['tokens.ofTeam', id, page, size], async () =>
    toRows(await client.tokens.ofTeam({ id, p: page, page_size: size }), paging),
  )
  const [name, ...others] = useOthersTokenColumns<TeamToken>()
  const member: Column<TeamToken> = {
    key: 'member',
    title: t('Member'),
    rank: 1,
    width: 120,
    render: ({ username }) => username,
  }
  return (
    <Table
      label={t('Tokens')}
      columns={[name!, member, ...others]}
      rowKey={({ id: token }) => token}
      rowName={(token) => token.name}
      list={list}
      paging={paging}
      isShaded={({ status }) => status !== TOKEN_STATUS.enabled}
      empty={{ title: t('No token spends from this team') }}
      renderDetails={(token) => <TokenLimits token={token} />}
    />
  )
}

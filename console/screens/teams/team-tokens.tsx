// The tokens that spend from a team's balance, with their owners.
import { TOKEN_STATUS } from '../../../core/tokens/token.ts'
import type { Team } from '../../../core/teams/team.ts'
import { apiClient } from '../../data/client.ts'
import { toPageRows, usePagingInside } from '../../data/use-paging.ts'
import { usePagedEndpoint } from '../../data/use-paged-endpoint.ts'
import { useText } from '../../data/texts.tsx'
import type { TableColumn } from '../../parts/table/column.ts'
import { DataTable } from '../../parts/table/table.tsx'
import { TokenLimitDetails } from '../tokens/limit-details.tsx'
import { useOthersTokenColumns } from '../tokens/columns.tsx'
type TeamToken = Awaited<ReturnType<typeof apiClient.tokens.ofTeam>>['items'][number]

export function TeamTokenList({ team: { id } }: { team: Team }) {
  const t = useText()
  const paging = usePagingInside()
  const list = usePagedEndpoint(['tokens.ofTeam', id], paging, async ({ page, size }) =>
    toPageRows(await apiClient.tokens.ofTeam({ id, p: page, page_size: size }), { page, size }),
  )
  const [name, ...others] = useOthersTokenColumns<TeamToken>()
  const member: TableColumn<TeamToken> = {
    key: 'member',
    title: t('Member'),
    rank: 1,
    width: 120,
    under: ['name'],
    render: ({ username }) => username,
  }
  return (
    <DataTable
      name="team-tokens"
      label={t('Tokens')}
      columns={[name!, member, ...others]}
      rowKey={({ id: token }) => token}
      rowName={(token) => token.name}
      list={list}
      paging={paging}
      isShaded={({ status }) => status !== TOKEN_STATUS.enabled}
      empty={{ title: t('No token spends from this team') }}
      renderDetails={(token) => <TokenLimitDetails token={token} />}
    />
  )
}

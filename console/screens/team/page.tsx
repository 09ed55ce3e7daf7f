// One team at its own address: its balance, and by tab its members, spending, tokens and calls.
import { Link, useNavigate, useParams } from 'react-router'
import { apiClient } from '../../data/client.ts'
import { useEndpointWithError } from '../../data/use-endpoint.ts'
import { useText } from '../../data/texts.tsx'
import { EmptyState } from '../../parts/status/empty.tsx'
import { LoadingIndicator } from '../../parts/status/waiting.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { useDeleted } from '../../parts/overlay/undo.ts'
import { LabelledLines } from '../../parts/table/row.tsx'
import { useTeamColumns } from '../teams/columns.tsx'
import { TeamDetails } from '../teams/details.tsx'
import '../teams/teams.css'

export function Page() {
  const t = useText()
  const navigate = useNavigate()
  const id = Number(useParams()['id'])
  const { data, error, loading, reload } = useEndpointWithError(['teams.get', id, 'page'], () =>
    apiClient.teams.get({ id }),
  )
  const columns = useTeamColumns()
  const isDeleted = useDeleted('teams')(id)
  if ((error && !loading) || isDeleted) {
    return (
      <EmptyState page failed={!isDeleted} title={t('This team cannot be shown')} description={error ?? undefined}>
        <Link to="/teams">{t('All teams')}</Link>
      </EmptyState>
    )
  }
  if (!data || data.id !== id) return <LoadingIndicator />
  return (
    <>
      <PageHead title={data.name} />
      <div className="sheet">
        <LabelledLines columns={columns.filter(({ key }) => key !== 'name')} row={data} />
        <TeamDetails hasPage team={data} onChanged={reload} onLeft={() => void navigate('/teams')} />
      </div>
    </>
  )
}

// The views of lists that the teams of the user share. They are loaded when the menu of views is about to be opened, so that
// a list costs no request for them.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { apiClient, quietClient } from './client.ts'
import { showNotice } from './notify.ts'
import { useSignedInUser } from './session.tsx'
import { useText } from './texts.tsx'

export type TeamViews = Awaited<ReturnType<typeof quietClient.teams.views>>
export type SharedView = TeamViews['views'][number]

const NONE: TeamViews = { views: [], managed: [] }

/** A view of a list that is to be shared. */
type NewView = Pick<SharedView, 'list' | 'name' | 'query'>

interface LoadedTeamViews extends TeamViews {
  /** Returns the views, from the server if they are not fresh; those that are known if the server cannot be asked. */
  load(): Promise<TeamViews>
  share(team: number, view: NewView): Promise<void>
  rename(view: SharedView, name: string): Promise<void>
  remove(view: SharedView): Promise<void>
}

export function useTeamViews(): LoadedTeamViews {
  const t = useText()
  const client = useQueryClient()
  const { user } = useSignedInUser()
  const isSignedIn = user !== null
  const query = useMemo(
    () => ({
      queryKey: ['teams.views', user?.id ?? 0],
      queryFn: () => (isSignedIn ? quietClient.teams.views({}) : NONE),
    }),
    [user?.id, isSignedIn],
  )
  const { data = NONE } = useQuery({ ...query, enabled: false })
  const load = useCallback(
    () => client.fetchQuery(query).catch(() => client.getQueryData<TeamViews>(query.queryKey) ?? NONE),
    [client, query],
  )
  const reload = async () => {
    await client.invalidateQueries({ queryKey: query.queryKey })
    await load()
  }
  return {
    ...data,
    load,
    async share(team, view) {
      const { team_name } = await apiClient.teams.shareView({ id: team, ...view })
      showNotice.success(t('the members of team {team} see this view now', { team: team_name }))
      await reload()
    },
    async rename({ id, team_id }, name) {
      await apiClient.teams.renameView({ id: team_id, view_id: id, name })
      await reload()
    },
    async remove({ id, team_id }) {
      await apiClient.teams.deleteView({ id: team_id, view_id: id })
      showNotice.success(t('view deleted'))
      await reload()
    },
  }
}

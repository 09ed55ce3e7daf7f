// The spending of each member from the balance of their team.
import { useFormat } from '../../data/use-format.ts'
import { useText } from '../../data/texts.tsx'
import { DataChart } from '../../parts/chart/chart.tsx'
import { sumValues } from '../../parts/chart/data.ts'
import type { MemberUse } from './member-use.ts'

export function TeamSpend({ members }: { members: readonly MemberUse[] }) {
  const t = useText()
  const { quota: format, exactQuota } = useFormat()
  const chart = (label: string, usedBy: (member: MemberUse) => number) => {
    const spenders = [...members].sort((one, other) => usedBy(other) - usedBy(one))
    const values = spenders.map(usedBy)
    return (
      <DataChart
        kind="doughnut"
        label={label}
        note={format(sumValues(values))}
        exactNote={exactQuota(sumValues(values))}
        bucketLabel={t('Member')}
        format={format}
        height={200}
        data={{ buckets: spenders.map(({ username }) => username), series: [{ name: label, values }] }}
      />
    )
  }
  return (
    <div className="team-spend">
      {chart(t('Spent this month, by member'), ({ used_month }) => used_month)}
      {chart(t('Spent today, by member'), ({ used_day }) => used_day)}
    </div>
  )
}

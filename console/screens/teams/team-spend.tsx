// The spending of each member from the balance of their team.
import { useTexts } from '../../data/texts.tsx'
import { useFormat } from '../../data/use-format.ts'
import { Chart } from '../../parts/chart/chart.tsx'
import { sum } from '../../parts/chart/data.ts'
import type { MemberUse } from './member-use.ts'
import { words } from './texts.ts'

export function TeamSpend({ members }: { members: readonly MemberUse[] }) {
  const t = useTexts(words)
  const { quota: format } = useFormat()
  const chart = (label: string, usedBy: (member: MemberUse) => number) => {
    const spenders = [...members].sort((one, other) => usedBy(other) - usedBy(one))
    const values = spenders.map(usedBy)
    return (
      <Chart
        kind="doughnut"
        label={label}
        note={format(sum(values))}
        bucketLabel={t.member}
        format={format}
        height={200}
        data={{ buckets: spenders.map(({ username }) => username), series: [{ name: label, values }] }}
      />
    )
  }
  return (
    <div className="team-spend">
      {chart(t.monthByMember, ({ used_month }) => used_month)}
      {chart(t.todayByMember, ({ used_day }) => used_day)}
    </div>
  )
}

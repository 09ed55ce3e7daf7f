// The shapes that the OpenAPI document calls by a name: generated clients make a type of each.
import { z } from 'zod'
import { AuditRow } from '../audit/audit.ts'
import { SignedIn } from '../auth/signed-in.ts'
import { Channel } from '../channels/channel.ts'
import { ChannelType, RouteExplanation } from '../channels/contract.ts'
import { ExplainedChannel } from '../channels/explain.ts'
import { Explanation } from '../logs/explanation.ts'
import { LogEntry } from '../logs/log.ts'
import { UsageRow } from '../logs/usage-report.ts'
import { PricedModel } from '../pricing/contract.ts'
import { QuotaFault, StatementEntry } from '../quota/contract.ts'
import { LedgerEntry } from '../quota/ledger-entry.ts'
import { Receipt } from '../quota/receipt.ts'
import { Redemption } from '../redemptions/redemption.ts'
import { Option } from '../settings/contract.ts'
import { Status } from '../site/contract.ts'
import { Drawing } from '../tasks/drawing.ts'
import { Task } from '../tasks/task.ts'
import { Team, TeamMember } from '../teams/team.ts'
import { ShownToken } from '../tokens/contract.ts'
import { TopUp } from '../topups/topup.ts'
import { ShownUser } from '../users/user.ts'

/** By their names. */
export const namedSchemas = z.registry<{ id: string }>()

const shapes = {
  ...{ AuditRow, SignedIn, Channel, ChannelType, RouteExplanation, ExplainedChannel, Explanation, LogEntry, UsageRow },
  ...{ PricedModel, QuotaFault, StatementEntry, LedgerEntry, Receipt, Redemption, Option, Status, Drawing, Task },
  ...{ Team, TeamMember, Token: ShownToken, TopUp, User: ShownUser },
}
for (const [id, shape] of Object.entries(shapes)) namedSchemas.add(shape, { id })

// Every section of the state, in the order of the file: a new kind of thing is one file and one line here.
import type { StateSection } from '../section.ts'
import { alertsStateSection } from './alerts.ts'
import { channelsStateSection } from './channels.ts'
import { groupsStateSection } from './groups.ts'
import { pricesStateSection, purchasePricesSection, toolPricesSection } from './prices.ts'
import { redemptionsStateSection } from './redemptions.ts'
import { settingsStateSection } from './settings.ts'
import { signInServicesSection } from './sign-in-services.ts'
import { teamsStateSection } from './teams.ts'
import { tokensStateSection } from './tokens.ts'
import { usersStateSection } from './users.ts'

export const stateSections: readonly StateSection[] = [
  settingsStateSection,
  groupsStateSection,
  channelsStateSection,
  pricesStateSection,
  purchasePricesSection,
  toolPricesSection,
  signInServicesSection,
  redemptionsStateSection,
  alertsStateSection,
  usersStateSection,
  teamsStateSection,
  tokensStateSection,
]

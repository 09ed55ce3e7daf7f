// Notifications; they are sent without a request, so there is no endpoint.
import { feature } from '../feature.ts'
import { createNotifyJobs } from './jobs.ts'

export const notifyFeature = feature({ jobs: createNotifyJobs })

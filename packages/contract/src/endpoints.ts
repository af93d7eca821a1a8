import * as callDisposition from "./call-disposition.ts";
import * as callOutcomes from "./call-outcomes.ts";
import * as billing from "./billing.ts";
import * as calls from "./calls.ts";
import * as carriers from "./carriers.ts";
import * as doNotCall from "./do-not-call.ts";
import type { Endpoint } from "./endpoint.ts";
import * as integrations from "./integrations.ts";
import * as files from "./files.ts";
import * as hostedLogin from "./hosted-login.ts";
import * as leadImports from "./lead-imports.ts";
import * as leads from "./leads.ts";
import * as followUps from "./follow-ups.ts";
import * as limits from "./limits.ts";
import * as liveEvents from "./live-events.ts";
import * as mediaConnections from "./media-connections.ts";
import * as members from "./members.ts";
import * as organisations from "./organisations.ts";
import * as passwords from "./passwords.ts";
import * as phoneNumbers from "./phone-numbers.ts";
import * as health from "./health.ts";
import * as sessions from "./sessions.ts";
import * as statistics from "./statistics.ts";
import * as transfers from "./transfers.ts";
import * as users from "./users.ts";
import * as voicemail from "./voicemail.ts";

/** The whole API: the server refuses to start while one of these has no handler. Keyed by operation name. */
export const endpoints = {
  register: sessions.register,
  login: sessions.login,
  refreshTokens: sessions.refreshTokens,
  logout: sessions.logout,
  listSessions: sessions.listSessions,
  endSession: sessions.endSession,
  endOtherSessions: sessions.endOtherSessions,
  getLoginOptions: hostedLogin.getLoginOptions,
  startHostedLogin: hostedLogin.startHostedLogin,
  finishHostedLogin: hostedLogin.finishHostedLogin,
  leaveHostedLogin: hostedLogin.leaveHostedLogin,
  forgotPassword: passwords.forgotPassword,
  checkResetLink: passwords.checkResetLink,
  resetPassword: passwords.resetPassword,
  getMe: users.getMe,
  getUser: users.getUser,
  updateUser: users.updateUser,
  setActiveOrganisation: users.setActiveOrganisation,
  listOrganisations: organisations.listOrganisations,
  getOrganisation: organisations.getOrganisation,
  createOrganisation: organisations.createOrganisation,
  updateOrganisation: organisations.updateOrganisation,
  deleteOrganisation: organisations.deleteOrganisation,
  readStatement: billing.readStatement,
  exportStatement: billing.exportStatement,
  getLimits: limits.getLimits,
  updateLimits: limits.updateLimits,
  listMembers: members.listMembers,
  updateMember: members.updateMember,
  removeMember: members.removeMember,
  leaveOrganisation: members.leaveOrganisation,
  listInvitations: members.listInvitations,
  inviteMember: members.inviteMember,
  withdrawInvitation: members.withdrawInvitation,
  readInvitationLink: members.readInvitationLink,
  readInvitation: members.readInvitation,
  acceptInvitation: members.acceptInvitation,
  startCall: calls.startCall,
  attachCallMedia: calls.attachCallMedia,
  answerCall: calls.answerCall,
  declineCall: calls.declineCall,
  sendCallToVoicemail: calls.sendCallToVoicemail,
  hangUpCall: calls.hangUpCall,
  transferCall: transfers.transferCall,
  listTeammates: transfers.listTeammates,
  consultInCall: transfers.consultInCall,
  joinCalls: transfers.joinCalls,
  completeTransfer: transfers.completeTransfer,
  sendCallDigits: calls.sendCallDigits,
  updateCall: calls.updateCall,
  getCall: calls.getCall,
  listCalls: calls.listCalls,
  readVoicemailSettings: voicemail.readVoicemailSettings,
  updateVoicemailSettings: voicemail.updateVoicemailSettings,
  uploadGreeting: voicemail.uploadGreeting,
  playGreeting: voicemail.playGreeting,
  readNewMessages: voicemail.readNewMessages,
  playVoicemail: voicemail.playVoicemail,
  markVoicemail: voicemail.markVoicemail,
  deleteVoicemail: voicemail.deleteVoicemail,
  listCarrierKinds: carriers.listCarrierKinds,
  listCarriers: carriers.listCarriers,
  readCarrierTrace: carriers.readCarrierTrace,
  createCarrier: carriers.createCarrier,
  updateCarrier: carriers.updateCarrier,
  removeCarrier: carriers.removeCarrier,
  checkCarrier: carriers.checkCarrier,
  listPhoneNumbers: phoneNumbers.listPhoneNumbers,
  readNumberUse: phoneNumbers.readNumberUse,
  listAvailableNumbers: phoneNumbers.listAvailableNumbers,
  buyPhoneNumber: phoneNumbers.buyPhoneNumber,
  updatePhoneNumber: phoneNumbers.updatePhoneNumber,
  releasePhoneNumber: phoneNumbers.releasePhoneNumber,
  listLeads: leads.listLeads,
  countLeads: leads.countLeads,
  createLead: leads.createLead,
  getLead: leads.getLead,
  updateLead: leads.updateLead,
  deleteLead: leads.deleteLead,
  listLeadNotes: leads.listLeadNotes,
  addLeadNote: leads.addLeadNote,
  deleteLeadNote: leads.deleteLeadNote,
  exportLeads: leadImports.exportLeads,
  prepareLeadImport: leadImports.prepareLeadImport,
  checkLeadImport: leadImports.checkLeadImport,
  startLeadImport: leadImports.startLeadImport,
  listLeadImports: leadImports.listLeadImports,
  getLeadImport: leadImports.getLeadImport,
  listLeadImportErrors: leadImports.listLeadImportErrors,
  exportLeadImportErrors: leadImports.exportLeadImportErrors,
  listLeadImportDuplicates: leadImports.listLeadImportDuplicates,
  exportLeadImportDuplicates: leadImports.exportLeadImportDuplicates,
  deleteLeadImport: leadImports.deleteLeadImport,
  uploadFiles: files.uploadFiles,
  listFiles: files.listFiles,
  downloadFile: files.downloadFile,
  deleteFile: files.deleteFile,
  setCallDisposition: callDisposition.setCallDisposition,
  listCallOutcomes: callOutcomes.listCallOutcomes,
  createCallOutcome: callOutcomes.createCallOutcome,
  updateCallOutcome: callOutcomes.updateCallOutcome,
  removeCallOutcome: callOutcomes.removeCallOutcome,
  orderCallOutcomes: callOutcomes.orderCallOutcomes,
  listFollowUps: followUps.listFollowUps,
  setFollowUp: followUps.setFollowUp,
  listDoNotCall: doNotCall.listDoNotCall,
  addToDoNotCall: doNotCall.addToDoNotCall,
  removeFromDoNotCall: doNotCall.removeFromDoNotCall,
  readStatistics: statistics.readStatistics,
  getMediaConfiguration: mediaConnections.getMediaConfiguration,
  openMediaConnection: mediaConnections.openMediaConnection,
  renegotiateMediaConnection: mediaConnections.renegotiateMediaConnection,
  closeMediaConnection: mediaConnections.closeMediaConnection,
  listCrmServices: integrations.listCrmServices,
  listIntegrations: integrations.listIntegrations,
  createIntegration: integrations.createIntegration,
  updateIntegration: integrations.updateIntegration,
  removeIntegration: integrations.removeIntegration,
  startCrmLogin: integrations.startCrmLogin,
  finishCrmLogin: integrations.finishCrmLogin,
  syncIntegration: integrations.syncIntegration,
  listSyncRuns: integrations.listSyncRuns,
  streamLiveEvents: liveEvents.streamLiveEvents,
  getHealth: health.getHealth,
} as const satisfies Record<string, Endpoint>;

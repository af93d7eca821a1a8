const times = ["CreatedDate", "LastModifiedDate", "SystemModstamp"] as const;
const timeFields: ReadonlySet<string> = new Set(times);

/** What a query may select of each object. */
export const queryFields: ReadonlyMap<string, readonly string[]> = new Map([
  [
    "Lead",
    [
      "Id",
      "FirstName",
      "LastName",
      "Company",
      "Title",
      "Email",
      "Phone",
      "MobilePhone",
      "Status",
      "LeadSource",
      "Budget__c",
      "Next_Step__c",
      "IsConverted",
      "ConvertedContactId",
      "OwnerId",
      "Owner.Name",
      "Owner.Email",
      ...times,
    ],
  ],
  ["User", ["Id", "Name", "Email", "IsActive"]],
  ["Group", ["Id", "Name", "Type"]],
  [
    "Task",
    [
      "Id",
      "WhoId",
      "Subject",
      "Status",
      "ActivityDate",
      "TaskSubtype",
      "CallType",
      "CallDurationInSeconds",
      "CallDisposition",
      "CallObject",
      "Description",
      ...times,
    ],
  ],
]);

/** Times are milliseconds since 1970 in the store. */
export const isTimeField = (field: string): boolean => timeFields.has(field);

/** 2026-01-31T09:30:00.000+0000, as the REST API writes it. */
export const formatTime = (ms: number): string => new Date(ms).toISOString().replace("Z", "+0000");

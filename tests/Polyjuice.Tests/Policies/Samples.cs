using Polyjuice.Policies;

namespace Polyjuice.Tests.Policies;

/// <summary>A small policy that a person wrote, for tests that look at single things.</summary>
internal static class Samples
{
    public const string BankJson = """
        {
          "schema": 1,
          "name": "bank",
          "description": "Two types over two states.",
          "provenance": { "author": "a person" },
          "catalogue": {
            "version": 3,
            "types": [
              { "type": "Transfer", "sites": [
                { "site": "Transfer>IAccount.Withdraw Account.checking update", "state": "Account.checking", "kind": "update" },
                { "site": "Transfer>IAccount.Deposit Account.checking update", "state": "Account.checking", "kind": "update", "loop": true },
                { "site": "Transfer>IAudit.Note Audit.log update", "state": "Audit.log", "kind": "update" }
              ] },
              { "type": "Balance", "sites": [
                { "site": "Balance Account.checking read", "state": "Account.checking", "kind": "read" }
              ] }
            ]
          },
          "default": { "read": "dirty", "write": "public" },
          "backoff": { "committed": [0, 1, 2], "aborted": [4, 8, 0] },
          "types": [
            {
              "type": "Transfer",
              "admission": "run",
              "backoff": { "committed": [8, 8, 8], "aborted": [2, 2, 2] },
              "default": { "waitForHolders": true },
              "rows": [
                { "site": "Transfer>IAccount.Withdraw Account.checking update", "read": "clean", "write": "private", "earlyValidation": true, "waits": { "Transfer": "Transfer>IAccount.Deposit Account.checking update", "*": "sealed" } },
                { "site": "Transfer>IAccount.Deposit Account.checking update", "waits": { "Balance": "sealed" }, "waitsOff": true },
                { "site": "Transfer>IAudit.Note Audit.log update", "read": "dirty", "write": "public" }
              ]
            },
            {
              "type": "Balance",
              "rows": [
                { "site": "Balance Account.checking read", "read": "dirty", "waits": { "Balance": "no", "Transfer": "Transfer>IAccount.Withdraw Account.checking update" } }
              ]
            }
          ]
        }
        """;

    public static PolicyDocument Bank => PolicyReader.Parse(BankJson, "bank.json");

    public static readonly SiteKey Withdraw = new(
        "Transfer", "Transfer>IAccount.Withdraw", "Account.checking", AccessKind.Update);
    public static readonly SiteKey Deposit = new(
        "Transfer", "Transfer>IAccount.Deposit", "Account.checking", AccessKind.Update);
    public static readonly SiteKey Note = new("Transfer", "Transfer>IAudit.Note", "Audit.log", AccessKind.Update);
    public static readonly SiteKey Balance = new("Balance", "Balance", "Account.checking", AccessKind.Read);
}

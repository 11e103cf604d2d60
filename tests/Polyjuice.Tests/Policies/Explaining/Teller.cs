using Polyjuice.Policies;

namespace Polyjuice.Tests.Policies.Explaining;

/// <summary>Who pays takes from one account, puts into another and notes it; who gets looks at one.</summary>
internal static class Teller
{
    public const string Pay = "ITeller.Pay", Get = "IAccount.Get";
    public const string Take = "ITeller.Pay>IAccount.Take Account.balance update";
    public const string Put = "ITeller.Pay>IAccount.Put Account.balance update";
    public const string Note = "ITeller.Pay>IAudit.Note Audit.log update";
    public const string Look = "IAccount.Get Account.balance read";

    public static readonly SiteCatalogue Catalogue = new()
    {
        Version = 1,
        Types =
        [
            new CatalogueType
            {
                Name = Pay,
                Sites =
                [
                    new(Take, "Account.balance", AccessKind.Update), new(Put, "Account.balance", AccessKind.Update),
                    new(Note, "Audit.log", AccessKind.Update),
                ],
            },
            new CatalogueType { Name = Get, Sites = [new(Look, "Account.balance", AccessKind.Read)] },
        ],
    };

    public static readonly PolicyCells HandedOn = new() { Read = ReadVersion.Dirty, Write = WriteVisibility.Public };

    /// <summary>Hands on at once, validates early where it puts, and waits there and at the note.</summary>
    public static PolicyDocument Learned => Table(
        HandedOn,
        HandedOn with { EarlyValidation = true, Waits = WaitsFor(Pay, Put) },
        HandedOn with { Waits = WaitsFor(Pay, Note) },
        new PolicyCells { Write = WriteVisibility.Public },
        new PolicyBackoff([1, 1, 1], [8, 1, 4]));

    public static PolicyDocument Table(
        PolicyCells take, PolicyCells put, PolicyCells note, PolicyCells look, PolicyBackoff? backoff = null) => new()
    {
        Name = "mine",
        Rule = PolicyRules.Uniform,
        Catalogue = Catalogue,
        Types =
        [
            new TypePolicy { Type = Pay, Backoff = backoff, Rows = [new(Take, take), new(Put, put), new(Note, note)] },
            new TypePolicy { Type = Get, Rows = [new(Look, look)] },
        ],
    };

    public static PolicyWaits WaitsFor(string type, string site) => new(WaitCell.No, [new(type, WaitCell.For(site))]);

    public static PolicyDocument BuiltIn(string name) => BuiltinPolicies.Get(name).Document;

    /// <summary>The sentences of a section.</summary>
    public static IReadOnlyList<string> Sentences(this PolicyExplanation explanation, string heading) =>
        explanation.Sections.Single(section => section.Heading == heading).Sentences;
}

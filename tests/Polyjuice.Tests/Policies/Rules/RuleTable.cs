using Polyjuice.Policies;

namespace Polyjuice.Tests.Policies.Rules;

/// <summary>
/// A rule applied to a catalogue that a test writes down as "state:r" and "state:u", with * for loops.
/// </summary>
internal sealed class RuleTable(string rule, params (string Type, string Sites)[] types)
{
    private readonly PolicyDocument _full = new DocumentPolicy(new PolicyDocument
    {
        Name = rule,
        Rule = rule,
        Catalogue = new SiteCatalogue
        {
            Version = 1,
            Types =
            [
                .. types.Select(
                    type => new CatalogueType { Name = type.Type, Sites = [.. type.Sites.Split(' ').Select(Site)] })
            ]
        },
    }).Materialize();

    /// <summary>The row of a type's site, numbered from 1.</summary>
    public PolicyCells Row(string type, int number) => _full.Find(type)!.Rows[number - 1].Cells;

    /// <summary>The number, from 1, of the site for which a row waits; 0 for none.</summary>
    public int Wait(string type, int number, string dependency)
    {
        var cell = Row(type, number).EffectiveWaits[dependency];
        return cell.Until == WaitUntil.No ? 0 : _full.Catalogue.Find(dependency)!.PositionOf(cell.Site!) + 1;
    }

    private static CatalogueSite Site(string text, int index) => new(
        $"s{index + 1}", text.Split(':')[0], text.Split(':')[1][0] == 'r' ? AccessKind.Read : AccessKind.Update,
        text.EndsWith('*'));
}

using Polyjuice.Policies;
using Polyjuice.Waits;

namespace Polyjuice.Agents;

/// <summary>
/// Which policy table is in force: the policy's, or where that leaves it to the nodes, the one that they have chosen.
/// </summary>
internal sealed class TablesInForce(PolicyStore policies, TableChooser chooser)
{
    /// <summary>
    /// The table in force: the policy's, or where that leaves it to the nodes, the one that they have chosen.
    /// </summary>
    public PolicyTable Current
    {
        get
        {
            var table = policies.Current;
            return ChoiceOf(table) ?? table;
        }
    }

    /// <summary>
    /// The name of the table that the nodes have chosen; <see langword="null"/> where the policy says which is in
    /// force. Other threads may see it a moment later.
    /// </summary>
    public string? ChosenTable => ChoiceOf(policies.Current)?.Name;

    /// <summary>Until the next tick what was chosen may be of another policy, with other tables.</summary>
    private PolicyTable? ChoiceOf(PolicyTable table)
    {
        var choices = table.Choices;
        return choices.Count == 0 ? null : choices[chooser.Current < choices.Count ? chooser.Current : 0];
    }

    public int Version => policies.Current.Version;

    public SiteRegistry Registry => policies.Registry;

    public string SiteName(int siteId) => WaitSites.NameOf(policies.Registry, siteId);

    public string NameOfType(int typeId) => policies.Registry.Types[typeId];

    /// <summary>Transaction types that this node has heard of.</summary>
    public int TypesKnown => policies.Registry.Types.Count;

    /// <summary>Whether its table leaves it to the silo how it is let in, which learns from it then.</summary>
    public bool IsChosenHere(int typeId) => Current.AdmissionOf(typeId) == PolicyAdmission.Auto;
}

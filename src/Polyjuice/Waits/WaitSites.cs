using Polyjuice.Policies;

namespace Polyjuice.Waits;

/// <summary>What people read for the site of a wait.</summary>
internal static class WaitSites
{
    /// <summary>The name of an access's site, or what the wait is for instead.</summary>
    public static string NameOf(SiteRegistry registry, int siteId)
    {
        var sites = registry.Sites;
        return (uint)siteId < (uint)sites.Count ? sites[siteId].Key.Name : siteId switch
        {
            Wait.ReservationSite or Wait.UnorderedReservationSite => "(reservation)",
            Wait.TurnSite => "(turn)",
            _ => "(commit)",
        };
    }
}

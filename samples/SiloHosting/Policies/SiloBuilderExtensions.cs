using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Hosting;
using Polyjuice.Publishing.Following;
using SiloHosting.Settings;

namespace SiloHosting.Policies;

/// <summary>Has a silo follow what is published.</summary>
internal static class SiloBuilderExtensions
{
    /// <summary>Follows the folder or the container that settings name, or neither.</summary>
    public static ISiloBuilder FollowPolicies(this ISiloBuilder silo, SiloSettings settings)
    {
        silo.Services.AddOptions<PublishedPoliciesOptions>().BindConfiguration(SiloSettings.PoliciesSection);
        if (settings.PolicyContainer is { Length: > 0 } container)
            return silo.AddAzureBlobPolicyStore(_ => LogAccount.Container(silo, container), prefix: "");
        return settings.PolicyFolder is { Length: > 0 } folder ? silo.AddFilePolicyStore(folder) : silo;
    }
}

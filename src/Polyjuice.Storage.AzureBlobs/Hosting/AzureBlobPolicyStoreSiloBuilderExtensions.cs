using Azure.Storage.Blobs;
using Polyjuice.Publishing.Following;
using Polyjuice.Storage.AzureBlobs;

namespace Orleans.Hosting;

/// <summary>Has silos follow policies that are published in Azure Storage.</summary>
public static class AzureBlobPolicyStoreSiloBuilderExtensions
{
    /// <summary>
    /// Follows the policies that are published in a container, as
    /// <see cref="PolicyStoreSiloBuilderExtensions.AddFilePolicyStore"/> does those in a folder.
    /// </summary>
    /// <param name="builder">The silo.</param>
    /// <param name="container">
    /// Makes the client, with its bounds on requests and repetitions. The container must be there.
    /// </param>
    /// <param name="prefix">What all blob names begin with; a folder ends with a slash.</param>
    /// <param name="configure">Sets the options.</param>
    public static ISiloBuilder AddAzureBlobPolicyStore(
        this ISiloBuilder builder, Func<IServiceProvider, BlobContainerClient> container, string prefix = "policies/",
        Action<PublishedPoliciesOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(container);
        ArgumentNullException.ThrowIfNull(prefix);
        return builder.AddPolicyStore(services => new AzureBlobPolicyEntries(container(services), prefix), configure);
    }
}

using Orleans.Configuration;

namespace Polyjuice.Storage.AzureBlobs;

/// <summary>Refuses, by the option's name, what could not work.</summary>
internal sealed class AzureBlobLogOptionsValidator : LogOptionsValidator<AzureBlobLogOptions>
{
    /// <summary>The one.</summary>
    public static AzureBlobLogOptionsValidator Instance { get; } = new();

    /// <inheritdoc/>
    protected override IEnumerable<string> Find(AzureBlobLogOptions options)
    {
        object?[] ways = [options.ConnectionString, options.ServiceUri, options.ServiceClient, options.CreateClient];
        switch (ways.Count(way => way is not null))
        {
            case 0:
                yield return "Nothing says where the storage account is: set one of ConnectionString, ServiceUri (with "
                    + "Credential), ServiceClient (ServiceKey in the configuration) and CreateClient.";
                break;
            case > 1:
                yield return "Set only one of ConnectionString, ServiceUri, ServiceClient and CreateClient.";
                break;
        }

        if (options.ConnectionString is { } text && string.IsNullOrWhiteSpace(text))
            yield return "ConnectionString is empty.";
        if (options.Credential is not null && options.ServiceUri is null)
            yield return "Credential is used with ServiceUri only, which is not set.";
        if (options.ServiceUri is { } uri)
        {
            if (!uri.IsAbsoluteUri || (uri.Scheme != Uri.UriSchemeHttps && uri.Scheme != Uri.UriSchemeHttp))
                yield return "ServiceUri is no absolute http(s) address; it looks like "
                    + "https://ACCOUNT.blob.core.windows.net.";
            else if (options.Credential is not null && uri.Scheme != Uri.UriSchemeHttps)
                yield return "ServiceUri begins with http:, and a Credential's tokens are sent over https: only.";
            else if (options.Credential is null && uri.Query.Length == 0)
                yield return "ServiceUri has no shared access signature, and Credential is not set: set Credential.";
            else if (options.Credential is not null && uri.Query.Length > 0)
                yield return "ServiceUri has a shared access signature, and Credential is set: use one of them.";
        }

        if (options.RetryDelayMax < options.RetryDelay) yield return "RetryDelayMax is less than RetryDelay.";
    }
}

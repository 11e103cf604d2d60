using Azure.Core;
using Azure.Storage.Blobs;
using Orleans.Configuration;

namespace Polyjuice.Cli.Logs;

/// <summary>
/// Logs in a container of Azure Storage, named by its address, as errors name it. Who asks is never part of the command
/// line, but for a signature in the address: secrets are taken from the environment.
/// </summary>
internal static class AzureLocation
{
    public const string ConnectionString = "AZURE_STORAGE_CONNECTION_STRING";
    public const string Signature = "AZURE_STORAGE_SAS_TOKEN";
    public const string Token = "AZURE_STORAGE_ACCESS_TOKEN";

    /// <summary>Whether that is an address, and no folder.</summary>
    public static bool IsOne(string data) =>
        data.StartsWith("https://", StringComparison.OrdinalIgnoreCase)
            || data.StartsWith("http://", StringComparison.OrdinalIgnoreCase);

    /// <summary>How to get there.</summary>
    /// <param name="data">
    /// The container's address, with a prefix behind it if there is one, and perhaps a shared access signature.
    /// </param>
    /// <param name="environment">A variable's value.</param>
    /// <param name="option">The option that it was typed behind, for errors.</param>
    /// <exception cref="ArgumentException">It is no container's address, or nothing says who asks.</exception>
    public static AzureBlobLogOptions Parse(string data, Func<string, string?> environment, string option = "--data")
    {
        if (!Uri.TryCreate(data, UriKind.Absolute, out var uri))
            throw new ArgumentException($"{option}: '{Shown(data)}' is no address.");
        var parts = new BlobUriBuilder(uri);
        if (parts.BlobContainerName.Length == 0)
            throw new ArgumentException(
                $"{option}: '{Shown(data)}' names no container. It looks like "
                + "https://ACCOUNT.blob.core.windows.net/CONTAINER, with the prefix behind it if there is one.");
        var options = new AzureBlobLogOptions
        {
            ContainerName = parts.BlobContainerName, KeyPrefix = parts.BlobName, CreateContainer = false
        };
        parts.BlobContainerName = "";
        parts.BlobName = "";
        if (uri.Query.Length > 0)
        {
            options.ServiceUri = parts.ToUri();
        }
        else if (environment(Token) is { Length: > 0 } token)
        {
            options.ServiceUri = parts.ToUri();
            options.Credential = new GivenToken(token);
        }
        else if (environment(Signature) is { Length: > 0 } signature)
        {
            options.ServiceUri = new UriBuilder(parts.ToUri()) { Query = signature.TrimStart('?') }.Uri;
        }
        else if (environment(ConnectionString) is { Length: > 0 } connection)
        {
            options.ConnectionString = connection;
            Check(connection, parts.ToUri(), data, option);
        }
        else
        {
            throw new ArgumentException(
                $"{option}: nothing says who asks for {Shown(data)}. Set {ConnectionString}, {Signature}, or {Token} "
                + "(from 'az account get-access-token --resource https://storage.azure.com --query accessToken -o "
                + "tsv'), or put a shared access signature behind the address.");
        }

        return options;
    }

    /// <summary>What the names of blobs begin with that are no logs: the prefix as a folder.</summary>
    /// <param name="container">As <see cref="Parse"/> gives it.</param>
    public static string FolderOf(AzureBlobLogOptions container) =>
        container.KeyPrefix.Length == 0 || container.KeyPrefix.EndsWith('/')
            ? container.KeyPrefix
            : container.KeyPrefix + "/";

    /// <summary>A connection string of another account would read other logs than those that were named.</summary>
    private static void Check(string connection, Uri service, string data, string option)
    {
        Uri named;
        try
        {
            named = new BlobServiceClient(connection).Uri;
        }
        catch (FormatException)
        {
            // Its text may quote the secret.
            throw new ArgumentException(
                $"{ConnectionString} can't be read. Copy it again from the storage account's access keys.");
        }

        if (Uri.Compare(
            named, service, UriComponents.SchemeAndServer, UriFormat.SafeUnescaped,
            StringComparison.OrdinalIgnoreCase) != 0)
            throw new ArgumentException(
                $"{ConnectionString} is of {named.GetLeftPart(UriPartial.Authority)}, and {option} names "
                + $"{Shown(data)}.");
    }

    private static string Shown(string data) => data.Split('?', 2)[0];

    /// <summary>A token that somebody got elsewhere; it can't be renewed here.</summary>
    private sealed class GivenToken(string token) : TokenCredential
    {
        private readonly AccessToken _token = new(token, DateTimeOffset.MaxValue);

        public override AccessToken GetToken(TokenRequestContext requestContext, CancellationToken cancellationToken) =>
            _token;

        public override ValueTask<AccessToken> GetTokenAsync(
            TokenRequestContext requestContext, CancellationToken cancellationToken) =>
            new(_token);
    }
}

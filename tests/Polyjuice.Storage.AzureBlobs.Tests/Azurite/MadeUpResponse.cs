using System.Diagnostics.CodeAnalysis;
using Azure;
using Azure.Core;

namespace Polyjuice.Storage.AzureBlobs.Tests;

/// <summary>An answer that the service did not give.</summary>
internal sealed class MadeUpResponse(int status, string errorCode) : Response
{
    public override int Status => status;

    public override string ReasonPhrase => errorCode;

    public override Stream? ContentStream { get; set; } = new MemoryStream();

    public override string ClientRequestId { get; set; } = "";

    public override void Dispose()
    {
    }

    protected override bool ContainsHeader(string name) => IsErrorCode(name);

    protected override IEnumerable<HttpHeader> EnumerateHeaders() => [new HttpHeader("x-ms-error-code", errorCode)];

    protected override bool TryGetHeader(string name, [NotNullWhen(true)] out string? value)
    {
        value = IsErrorCode(name) ? errorCode : null;
        return value is not null;
    }

    protected override bool TryGetHeaderValues(string name, [NotNullWhen(true)] out IEnumerable<string>? values)
    {
        values = IsErrorCode(name) ? [errorCode] : null;
        return values is not null;
    }

    private static bool IsErrorCode(string name) =>
        string.Equals(name, "x-ms-error-code", StringComparison.OrdinalIgnoreCase);
}

using System.Net;
using Azure.Core;
using Request = Azure.Core.Request;

namespace Polyjuice.Storage.AzureBlobs.Tests;

/// <summary>A request, signed and complete, that has not arrived yet.</summary>
internal sealed class HeldRequest
{
    private HttpRequestMessage? _request;

    /// <summary>Keeps what a client wanted to send.</summary>
    public async Task TakeAsync(Request request)
    {
        using var body = new MemoryStream();
        await request.Content!.WriteToAsync(body, CancellationToken.None);
        _request = new HttpRequestMessage(HttpMethod.Parse(request.Method.Method), request.Uri.ToUri())
        {
            Content = new ByteArrayContent(body.ToArray())
        };
        foreach (var header in request.Headers)
        {
            if (!_request.Headers.TryAddWithoutValidation(header.Name, header.Value))
                _request.Content.Headers.TryAddWithoutValidation(header.Name, header.Value);
        }
    }

    /// <summary>Lets it arrive.</summary>
    /// <returns>What the service says.</returns>
    public async Task<HttpStatusCode> SendAsync()
    {
        using var client = new HttpClient();
        using var response = await client.SendAsync(
            _request ?? throw new InvalidOperationException("Nothing was held."));
        return response.StatusCode;
    }
}

using System.Globalization;
using System.Text;
using Orleans.Runtime;
using Polyjuice.Orleans.Silos;

namespace Polyjuice.Orleans.Idempotency;

/// <summary>
/// Which page has the record of a call. Pages are a tree for each log partition: a call's name has a page at the top,
/// which goes by the name's first digits, and below a page that is full one that goes by one digit more. So however
/// many records there are, to add one writes one small page. Pages are shared by all grains of a partition, so that
/// they are used again when records have expired.
/// </summary>
internal static class PageNames
{
    /// <summary>
    /// Pages at the top, for each partition. More would be in memory for few records each, and with fewer more calls
    /// would conflict.
    /// </summary>
    public const int PagesAtTop = 1_024;

    /// <summary>Hexadecimal digits that pages at the top go by.</summary>
    public const int DigitsAtTop = 3;

    /// <summary>Levels that a name has digits for.</summary>
    public const int LevelsMax = 32 - DigitsAtTop + 1;

    /// <summary>Stands for a grain's key in records.</summary>
    /// <param name="grain">The grain that is called.</param>
    /// <param name="key">The key.</param>
    public static Guid CallOf(GrainId grain, string key) => CallPrint.HashOf(Encoding.UTF8.GetBytes($"{grain}\n{key}"));

    /// <summary>
    /// A page's key as a grain. Its last part is such that the page is in the log partition of the grain that is
    /// called: the record goes into the same log.
    /// </summary>
    /// <param name="call">The call's name.</param>
    /// <param name="level">0 at the top; below <see cref="LevelsMax"/>.</param>
    /// <param name="partition">The log partition of the grain that is called.</param>
    /// <param name="partitions">How many there are.</param>
    public static string KeyOf(Guid call, int level, int partition, int partitions)
    {
        var all = call.ToString("n");
        var first = int.Parse(all.AsSpan(0, DigitsAtTop), NumberStyles.HexNumber, CultureInfo.InvariantCulture);
        var digits = $"{first % PagesAtTop:x3}{all.AsSpan(DigitsAtTop, level)}";
        return PartitionedKey.Of(IdempotencyKeys.Type, digits, partition, partitions);
    }
}

namespace Polyjuice.Policies;

/// <summary>A policy as a table that can be drawn; see <see cref="PolicyGrid"/>.</summary>
/// <param name="Columns">The names of the columns: "site", and then one for each cell of a row.</param>
/// <param name="Sections">A section for each transaction type, and one for all others.</param>
/// <param name="Legend">What the cells mean, a line each.</param>
internal sealed record PolicyGridTable(
    IReadOnlyList<string> Columns, IReadOnlyList<PolicyGridSection> Sections, IReadOnlyList<string> Legend);

/// <summary>The rows of a transaction type.</summary>
/// <param name="Type">The type; empty for all that have no section of their own.</param>
/// <param name="Heading">The type with its letter, backoff and admission.</param>
/// <param name="Rows">In the order of the sites.</param>
internal sealed record PolicyGridSection(string Type, string Heading, IReadOnlyList<PolicyGridRow> Rows);

/// <summary>A row.</summary>
/// <param name="Number">
/// The site's position from 1, with an asterisk if it is in a loop; empty for a row that stands for several sites.
/// </param>
/// <param name="Site">The site's name within its type, or what it stands for in parentheses.</param>
/// <param name="IsHot">Whether it is what the row above says for hot participants.</param>
/// <param name="Cells">What it says, in the order of the columns after the site.</param>
internal sealed record PolicyGridRow(string Number, string Site, bool IsHot, IReadOnlyList<string> Cells);
